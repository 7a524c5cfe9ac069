/** The language of the page: words, numbers, days. */

import { language } from "../settings";
import { en, type Words } from "./en";
import { ru } from "./ru";

const DICTIONARIES = { en, ru };
const LOCALES = { en: "en-GB", ru: "ru-RU" };

/** The words of the chosen language; when another one is chosen the whole page is drawn anew. */
export let w: Words = DICTIONARIES[language.value];
language.listen(() => (w = DICTIONARIES[language.value]));

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = LOCALES[language.value];
  const key = locale + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known;
}

export function day(at: string | Date): string {
  return format({ day: "numeric", month: "long", year: "numeric" }).format(new Date(at));
}

export function shortDay(at: string | Date): string {
  return format({ day: "numeric", month: "short", year: "numeric" }).format(new Date(at));
}

/** A day of the server's calendar, `2026-03-02`, which is the same day wherever the browser is. */
export function utcDay(of: string): string {
  return format({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(`${of}T00:00:00Z`));
}

/** A day with its name, as a heading begins. */
export function weekday(at: string | Date): string {
  const said = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(new Date(at));
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export function clock(at: string | Date): string {
  return format({ hour: "2-digit", minute: "2-digit" }).format(new Date(at));
}

export function moment(at: string | Date): string {
  return format({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }).format(new Date(at));
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(LOCALES[language.value], { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function percent(value: number): string {
  return value.toLocaleString(LOCALES[language.value], { style: "percent" });
}

export function bytes(value: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return size.toLocaleString(LOCALES[language.value], {
    style: "unit",
    unit: units[unit],
    maximumFractionDigits: unit > 1 ? 1 : 0,
  });
}

/** A time as precisely as it was told: `2026`, `2026-03`, `2026-03-02`, `2026-03-02T16:00`, or `--03-02` of every year. */
function precisely(time: string): string {
  const [, year, month, date] = /^(\d{4}|-)(?:-(\d\d)(?:-(\d\d))?)?$/.exec(time) ?? [];
  if (!year) return Number.isNaN(Date.parse(time)) ? time : moment(time);
  const options = { year: year === "-" ? undefined : "numeric", month: month ? "short" : undefined, day: date ? "numeric" : undefined, timeZone: "UTC" } as const;
  return format(options).format(new Date(`${year === "-" ? "2000" : year}-${month ?? "01"}-${date ?? "01"}T00:00:00Z`));
}

/** The time of a claim; one that is open at an end is said with `from` or `until`. */
export function claimed(time: string, from: (start: string) => string, until: (end: string) => string): string {
  const [start = "", end] = time.split("/");
  if (end === undefined) return precisely(start);
  return end === ".." ? from(precisely(start)) : until(precisely(end));
}

/** The day of something, or what was told of its time. */
export function dayOf(told: string | null | undefined, at: string): string {
  return told ? precisely(told) : shortDay(at);
}

/** What a dictionary calls something, else its own name with spaces. */
export function called(dictionary: Record<string, string>, name: string): string {
  return Object.hasOwn(dictionary, name) ? dictionary[name]! : name.replaceAll("_", " ");
}

/** The day of a moment where the browser is, as `2026-03-02`. */
export function localDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

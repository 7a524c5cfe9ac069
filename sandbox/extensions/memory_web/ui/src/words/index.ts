/** The language of the page: words, numbers, days. */

import { language } from "../settings";
import { useStore } from "../store";
import { en, type Words } from "./en";
import { ru } from "./ru";

const DICTIONARIES = { en, ru };
const LOCALES = { en: "en-GB", ru: "ru-RU" };

export type { Words };

export function useWords(): Words {
  return DICTIONARIES[useStore(language)];
}

export function words(): Words {
  return DICTIONARIES[language.value];
}

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

/** What a dictionary calls something, else its own name with spaces. */
export function called(dictionary: Record<string, string>, name: string): string {
  return Object.hasOwn(dictionary, name) ? dictionary[name]! : name.replaceAll("_", " ");
}

/** The day of a moment where the browser is, as `2026-03-02`. */
export function localDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

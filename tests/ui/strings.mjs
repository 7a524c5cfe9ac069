// What the source of the page says, for test_strings.py: both dictionaries, and text that stands elsewhere.
// node strings.mjs FOLDER_OF_THE_SOURCE
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = path.resolve(process.argv[2]);
const SOURCE = path.join(folder, "src");
const beside = createRequire(path.join(folder, "package.json"));
const { rolldown } = await import(pathToFileURL(beside.resolve("rolldown")));
const { parseAst } = await import(pathToFileURL(beside.resolve("rolldown/parseAst")));

const SHOWN = new Set(["aria-label", "aria-valuetext", "aria-roledescription", "title", "placeholder", "alt", "label", "told", "about", "hint", "heads"]);
const LETTERS = /\p{L}{2,}/u;

/** A dictionary is a plain value: compiled, it runs here. */
async function load(name) {
  const bundle = await rolldown({ input: path.join(SOURCE, "words", `${name}.ts`) });
  const { output } = await bundle.generate({ format: "esm" });
  return (await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`))[name];
}

/** A dictionary with what stands in place of each text: its kind. */
function shape(value) {
  if (typeof value === "string") return value.trim() ? "text" : "empty";
  if (typeof value === "function") return `of ${value.length}`;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]));
}

/** The texts that an expression may give. */
function literals(node) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" ? [node] : [];
    case "TemplateLiteral":
      return node.quasis.map((each) => ({ ...each, value: each.value.cooked }));
    case "ConditionalExpression":
      return [...literals(node.consequent), ...literals(node.alternate)];
    case "LogicalExpression":
      return [...literals(node.left), ...literals(node.right)];
    case "BinaryExpression":
      return node.operator === "+" ? [...literals(node.left), ...literals(node.right)] : [];
    case "ParenthesizedExpression":
    case "JSXExpressionContainer":
      return literals(node.expression);
    case "ArrayExpression":
      return node.elements.flatMap(literals);
    default:
      return [];
  }
}

/** Text that a person reads and that no dictionary gave: between tags, in attributes that are read out, in messages. */
function written(name) {
  const code = readFileSync(path.join(SOURCE, name), "utf8");
  const found = [];
  const note = (nodes) => {
    for (const { value, start } of nodes.filter((each) => LETTERS.test(each.value))) {
      found.push(`${name}:${code.slice(0, start).split("\n").length}: ${value.trim()}`);
    }
  };
  const visit = (node, parent) => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, parent));
    if (typeof node?.type !== "string") return undefined;
    if (node.type === "JSXText") note([node]);
    if (node.type === "JSXExpressionContainer" && parent.type !== "JSXAttribute") note(literals(node));
    if (node.type === "JSXAttribute" && SHOWN.has(name_of(node.name))) note(literals(node.value));
    if (node.type === "CallExpression" && node.callee.name === "say") note(node.arguments.flatMap(literals));
    return Object.values(node).forEach((each) => visit(each, node));
  };
  visit(parseAst(code, { lang: name.endsWith("x") ? "tsx" : "ts" }), null);
  return found;
}

const name_of = (node) => (node.type === "JSXNamespacedName" ? `${node.namespace.name}:${node.name.name}` : node.name);

const files = readdirSync(SOURCE, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !name.startsWith("words"));
const [en, ru] = [await load("en"), await load("ru")];
console.log(JSON.stringify({ en: shape(en), ru: shape(ru), written: files.flatMap(written), files: files.length }));

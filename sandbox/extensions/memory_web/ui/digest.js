/** Writes what the page is built from beside it, so that a test without npm sees a bundle that was not built anew. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LEFT_OUT = new Set(["node_modules", "__pycache__", "server.d.ts"]);

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((each) => !LEFT_OUT.has(each.name))
    .flatMap((each) => (each.isDirectory() ? sources(join(folder, each.name)) : [join(folder, each.name)]));
}

const digest = createHash("sha256");
for (const file of sources(".").sort()) digest.update(`${file}\0`).update(readFileSync(file)).update("\0");
writeFileSync(join(process.argv[2] ?? "../static", "SOURCE"), `${digest.digest("hex")}\n`);

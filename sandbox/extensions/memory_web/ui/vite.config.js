import { existsSync, readFileSync } from "node:fs";
import { defineConfig } from "vite";

const SHIPPED = ["preact", "sigma", "graphology", "graphology-utils", "events", "d3-force", "d3-dispatch", "d3-quadtree",
  "d3-timer", "@fontsource-variable/inter", "@fontsource-variable/literata"];

/** The licences of what is in the bundle, beside it. */
const licences = {
  name: "licences",
  generateBundle() {
    const texts = SHIPPED.map((name) => {
      const folder = `node_modules/${name}`;
      const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const file = ["LICENSE", "LICENSE.txt", "LICENSE.md"].map((each) => `${folder}/${each}`).find(existsSync);
      return `${name} ${version}, ${license}\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
    });
    this.emitFile({ type: "asset", fileName: "LICENCES.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
  },
};

const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" };

export default defineConfig({
  base: "/ui/",
  plugins: [licences],
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: { app: "index.html" }, output: { ...names } },
  },
  worker: { format: "es", rollupOptions: { output: { ...names } } },
});

// Two builds of the page: a folder for any static host, and with `--mode single` one file that opens from disk.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The npm package as `scripts/web` builds it. */
const PACKAGE = resolve(process.env["CASSIUS_PACKAGE"] ?? resolve(import.meta.dirname, "../../out/web/package"));
const OUTPUT = resolve(process.env["CASSIUS_PAGE"] ?? resolve(import.meta.dirname, "../../out/web/page"));
const ENGINE = ["cassius.js", "cassius.wasm"];
/** What only browsers without JSPI fetch besides. */
const PATCH = "cassius.patch";

/** The engine beside the page: a worker that fetches the rest itself. */
const BESIDE = `export const newWorker = async () => ({ worker: new Worker("engine/cassius.js") });`;

/** The engine within the page: the worker's script as a Blob, the engine compressed and as base64, taken apart once. */
const within = () => {
  const script = JSON.stringify(readFileSync(resolve(PACKAGE, "cassius.js"), "utf8"));
  const packed = (file: string): string => gzipSync(readFileSync(resolve(PACKAGE, file)), { level: 9 }).toString("base64");
  return `
    const url = URL.createObjectURL(new Blob([${script}], { type: "text/javascript" }));
    const unpack = (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    };
    const load = async () => {
      const wasm = await unpack("${packed("cassius.wasm")}");
      if ("Suspending" in WebAssembly) return { wasm: await WebAssembly.compile(wasm) };
      return { wasm, patch: await unpack("${packed(PATCH)}") };
    };
    let engine;
    export const newWorker = async () => ({ worker: new Worker(url), ...(await (engine ??= load())) });
  `;
};

/** `virtual:engine` for either build. */
function engine(isSingle: boolean): Plugin {
  const name = "virtual:engine";
  return {
    name: "engine",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    // The client would start a worker of its own if it were given none: that one is not wanted twice.
    transform: (code, id) => (id.endsWith("cassius.mjs") ? code.replaceAll('new URL("./cassius.js"', 'new URL(/* @vite-ignore */ "./cassius.js"') : undefined),
    load: (id) => (id === `\0${name}` ? (isSingle ? within() : BESIDE) : undefined),
    closeBundle() {
      if (isSingle) return;
      mkdirSync(resolve(OUTPUT, "engine"), { recursive: true });
      for (const file of [...ENGINE, PATCH]) copyFileSync(resolve(PACKAGE, file), resolve(OUTPUT, "engine", file));
    },
  };
}

/** The service worker, which keeps what the page consists of. */
function offline(): Plugin {
  return {
    name: "offline",
    // Behind the plugin that adds the style sheet.
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = ["./", ...Object.keys(bundle).filter((it) => it !== "index.html"), ...ENGINE.map((it) => `engine/${it}`)];
      const hash = createHash("sha256");
      for (const it of Object.values(bundle)) hash.update(it.type === "chunk" ? it.code : it.source);
      for (const file of [...ENGINE, PATCH]) hash.update(readFileSync(resolve(PACKAGE, file)));
      const source = readFileSync(resolve(import.meta.dirname, "src/offline.js"), "utf8");
      const filled = source.replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 12))).replace('["FILES"]', JSON.stringify(files)).replace('"PATCH"', JSON.stringify(`engine/${PATCH}`));
      this.emitFile({ type: "asset", fileName: "sw.js", source: filled });
    },
  };
}

/** Puts scripts and styles into the page itself. */
function single(): Plugin {
  return {
    name: "single",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") return;
      let html = String(page.source);
      for (const [name, it] of Object.entries(bundle)) {
        const text = it.type === "chunk" ? it.code.replaceAll("</script", "<\\/script") : String(it.source);
        if (it.type === "chunk") html = html.replace(/<script type="module"[^>]*><\/script>/, "").replace("</body>", () => `<script type="module">${text}</script></body>`);
        else if (name.endsWith(".css")) html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${text}</style>`);
        if (name !== "index.html") delete bundle[name];
      }
      page.source = html;
      page.fileName = "cassius.html";
    },
  };
}

export default defineConfig(({ mode }) => {
  const isSingle = mode === "single";
  return {
    base: "./",
    logLevel: "warn",
    resolve: { alias: { cassius: resolve(PACKAGE, "cassius.mjs") } },
    plugins: [engine(isSingle), isSingle ? single() : offline()],
    build: {
      outDir: isSingle ? resolve(OUTPUT, "..") : OUTPUT,
      emptyOutDir: !isSingle,
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: isSingle ? Number.MAX_SAFE_INTEGER : 4096,
      cssCodeSplit: false,
    },
    server: { fs: { allow: [resolve(import.meta.dirname, "../.."), PACKAGE] } },
  };
});

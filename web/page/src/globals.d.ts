declare module "virtual:engine" {
  import type { ClientOptions } from "cassius";
  /** A worker with the engine: from beside the page, or from within it where the page is one file. */
  export function newWorker(): Promise<ClientOptions>;
}

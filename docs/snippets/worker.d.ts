/** What `wrangler types` generates from the bindings of a Worker. */
declare module "cloudflare:workers" {
  import type { D1Binding } from "@latchkey/sql/d1"

  export const env: { readonly DB: D1Binding }
}

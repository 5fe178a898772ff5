import { latchkey, type Plugin } from "@latchkey/elysia"
import GitHub from "@latchkey/elysia/providers/github"
import { Elysia } from "elysia"

declare const anyId: string

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const plugin = latchkey({ providers: [GitHub] })
new Elysia()
  .use(plugin)
  .get("/github", ({ auth }) => auth.signIn("github"))
  .get("/any", ({ auth }) => auth.signIn(anyId, { redirect: false }))
  .get("/choose", ({ auth }) => auth.signIn())
  // @ts-expect-error no such provider
  .get("/gihub", ({ auth }) => auth.signIn("gihub"))
new Elysia()
  .use(latchkey(async () => ({ providers: [GitHub] })))
  // @ts-expect-error no such provider
  .get("/gihub", ({ auth }) => auth.signIn("gihub"))
export const annotated: Plugin = plugin

// Bundles the scripts of the built-in pages. They share their code with @latchkey/client, on which core can't depend.
import { join } from "node:path"
import { Failure } from "./shell.mjs"
import { root } from "./workspace.mjs"

/** A script in `packages/client/src/page`, minified for an inline `<script>`. @param {string} name @returns {Promise<string>} */
export async function pageScript(name) {
  const { rolldown } = await import("rolldown")
  const build = await rolldown({
    input: join(root, "packages", "client", "src", "page", `${name}.ts`),
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2020" },
  })
  const { output } = await build.generate({ format: "iife", minify: true, comments: false })
  await build.close()
  const text = output[0].code.trim()
  // A browser reads `<` in a script as it is, so it can't be escaped.
  if (text.includes("<"))
    throw new Failure(`The script ${name}.ts of the built-in pages contains "<". Use ">" in its source.`)
  return text
}

import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The package under the `react-server` condition, where React has no `createContext`. */
async function entryOfServerComponents(): Promise<Record<string, unknown>> {
  const build = await rolldown({
    input: source("../src/index.ts"),
    platform: "node",
    tsconfig: false,
    logLevel: "silent",
    resolve: {
      conditionNames: ["react-server", "node", "import", "default"],
      alias: { "@latchkey/client": source("../../client/src/index.ts") },
    },
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  const code = Buffer.from(output[0].code).toString("base64")
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
}

test("in a Server Component, the package can be imported and SessionProvider throws a helpful error", async () => {
  const { SessionProvider, SessionContext, getSession } = await entryOfServerComponents()
  expect(SessionContext).toBeUndefined()
  expect(getSession).toBeTypeOf("function")
  expect(() => (SessionProvider as (props: object) => unknown)({})).toThrow(/Add "use client" at the top of the file/)
})

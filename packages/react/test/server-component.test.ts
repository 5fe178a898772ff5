import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The package as it is where server components are rendered: React has no context there. */
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

test("in a server component the package can be imported, and the provider says where it belongs", async () => {
  const { SessionProvider, SessionContext, getSession } = await entryOfServerComponents()
  expect(SessionContext).toBeUndefined()
  expect(getSession).toBeTypeOf("function")
  expect(() => (SessionProvider as (props: object) => unknown)({})).toThrow(/put it into a file with "use client"/)
})

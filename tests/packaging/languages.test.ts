import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const core = fileURLToPath(new URL("../../packages/core", import.meta.url))

/** The language of the built-in page for a browser that prefers German, and what is logged. */
async function pageIn(conditions: string, i18n: string): Promise<{ language: string; logged: readonly string[] }> {
  const program = `import { Auth } from "@latchkey/core"
    import { german } from "@latchkey/core/languages/de"
    const logged = []
    const logger = { warn: (code, detail) => logged.push(code + ": " + detail) }
    const config = { secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", url: "https://app.test/auth", providers: [], logger, i18n: ${i18n} }
    const request = new Request("https://app.test/auth/signin", { headers: { "accept-language": "de-AT" } })
    const page = await (await Auth(request, config)).text()
    console.log(JSON.stringify({ language: /<html[^>]* lang="([^"]*)"/.exec(page)[1], logged }))`
  const args = [`--conditions=${conditions}`, "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: core })
  return JSON.parse(stdout)
}

test("a server has every language", async () => {
  expect(await pageIn("default", "{}")).toEqual({ language: "de", logged: [] })
})

test.each(["workerd", "edge-light"])(
  "a bundle for %s has English, and the languages in `messages`",
  async (runtime) => {
    expect(await pageIn(runtime, "{}")).toEqual({ language: "en", logged: [] })
    expect(await pageIn(runtime, "{ messages: { de: german } }")).toEqual({ language: "de", logged: [] })
    expect(await pageIn(runtime, '{ locales: ["de"], defaultLocale: "de", messages: { de: german } }')).toEqual({
      language: "de",
      logged: [],
    })
    expect(await pageIn(runtime, '{ locales: ["en", "de"] }')).toEqual({
      language: "en",
      logged: [
        expect.stringMatching(/^invalid-option: .*no texts in de\. Import them from @latchkey\/core\/languages/),
      ],
    })
  },
)

import { describe, expect, test } from "vitest"
import { application, besideNext, filesOf, jsonOf, latchkey, manifest, read, root, write } from "./latchkey.js"

const library = "@simplewebauthn/server"

const auth = `import NextAuth from "@latchkey/next"

export const { handlers, auth } = NextAuth({
  adapter,
  providers: [],
})
`

const dependencies = { next: "16.0.0", "@latchkey/next": "0.1.0" }
const files = { "package.json": manifest(dependencies), "auth.ts": auth }

async function dependenciesOf(folder: string): Promise<Record<string, string>> {
  const { dependencies } = JSON.parse(await read(folder, "package.json")) as { dependencies: Record<string, string> }
  return dependencies
}

describe("latchkey add passkey", () => {
  test.each([
    ["passkey", "Passkey"],
    ["webauthn", "WebAuthn"],
  ])("adds the provider %s, the flag and the library, and asks for no variable", async (id, name) => {
    const folder = await application(files)
    const { code, stdout } = await latchkey(folder, ["add", id])
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(`import NextAuth from "@latchkey/next"
import ${name} from "@latchkey/next/providers/${id}"

export const { handlers, auth } = NextAuth({
  experimental: { enableWebAuthn: true },
  adapter,
  providers: [${name}],
})
`)
    expect(await dependenciesOf(folder)).toEqual({ ...dependencies, [library]: "^14.0.0" })
    expect(Object.keys(await filesOf(folder))).not.toContain(".env.local")
    expect(stdout).toContain("npm install")
    expect(stdout).not.toContain("/callback/")
  })

  test("changes nothing the second time", async () => {
    const folder = await application(files)
    await latchkey(folder, ["add", "passkey"])
    const before = await filesOf(folder)
    const again = await latchkey(folder, ["add", "passkey", "--json"])
    expect(jsonOf(again)).toMatchObject({ ok: true, added: [], dependencies: [], callbacks: [] })
    expect(await filesOf(folder)).toEqual(before)
  })

  test.each([
    ["experimental: {},", "experimental: { enableWebAuthn: true },"],
    ["experimental: { enableWebAuthn: false },", "experimental: { enableWebAuthn: true },"],
    ["experimental: { other: 1 },", "experimental: { enableWebAuthn: true, other: 1 },"],
    ["experimental: { enableWebAuthn: flags.passkeys },", "experimental: { enableWebAuthn: flags.passkeys },"],
  ])("sets the flag in %s", async (before, after) => {
    const folder = await application({ ...files, "auth.ts": auth.replace("adapter,", before) })
    expect((await latchkey(folder, ["add", "passkey"])).code).toBe(0)
    expect(await read(folder, "auth.ts")).toContain(after)
  })

  test("exits with 1 and writes nothing if `experimental` isn't an object literal", async () => {
    const folder = await application({ ...files, "auth.ts": auth.replace("adapter,", "experimental: flags(),") })
    const before = await filesOf(folder)
    const { code, stderr } = await latchkey(folder, ["add", "passkey"])
    expect(code).toBe(1)
    expect(stderr).toContain("enableWebAuthn: true")
    expect(await filesOf(folder)).toEqual(before)
  })

  test("sets the flag beside a provider that is there already", async () => {
    const text =
      'import NextAuth from "@latchkey/next"\nimport Passkey from "@latchkey/next/providers/passkey"\nexport const { auth } = NextAuth({ adapter, providers: [Passkey] })\n'
    const folder = await application({ ...files, "auth.ts": text })
    const { stdout } = await latchkey(folder, ["add", "passkey"])
    expect(stdout).toContain("Enabled passkeys in auth.ts")
    expect(await read(folder, "auth.ts")).toContain("experimental: { enableWebAuthn: true }, adapter")
  })

  test.each([
    ["^8.3.0", "^14.0.0"],
    ["9.0.3", "9.0.3"],
    ["^13.1.0", "^13.1.0"],
    ["^14.0.0", "^14.0.0"],
    ["catalog:", "catalog:"],
  ])("leaves %s of the library as %s, because Latchkey works with version 9 to 14", async (before, after) => {
    const folder = await application({ ...files, "package.json": manifest({ ...dependencies, [library]: before }) })
    await latchkey(folder, ["add", "passkey"])
    expect((await dependenciesOf(folder))[library]).toBe(after)
  })

  test("says that passkeys need an adapter, unless the configuration has one", async () => {
    const folder = await application({ ...files, "auth.ts": auth.replace("  adapter,\n", "") })
    expect((await latchkey(folder, ["add", "passkey"])).stdout).toContain("Passkeys need an adapter that stores them")
    const other = await application(files)
    expect((await latchkey(other, ["add", "passkey"])).stdout).not.toContain("adapter")
  })

  test("adds other providers in the same run", async () => {
    const folder = await application(files)
    await latchkey(folder, ["add", "github", "passkey"])
    expect(await read(folder, "auth.ts")).toContain("providers: [GitHub, Passkey]")
    expect(await read(folder, ".env.local")).toBe("AUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n")
  })
})

test("latchkey init adds passkeys to a new application", async () => {
  const folder = await application({ "package.json": manifest({ next: "16.0.0" }), "tsconfig.json": "{}" })
  expect((await latchkey(folder, ["init", "--provider", "passkey"])).code).toBe(0)
  expect(await read(folder, "auth.ts")).toContain("experimental: { enableWebAuthn: true },")
  expect(await read(folder, "auth.ts")).toContain("providers: [Passkey],")
  expect((await dependenciesOf(folder))[library]).toBe("^14.0.0")
})

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly fix?: string
}

const secret = "AUTH_SECRET=mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=\n"
const besidePasskeys = { ...besideNext, [library]: `${root}/packages/core/node_modules/${library}` }

/** @param options the source of the provider's options. @param rest the source of other options */
function withPasskey(options = "", rest = "experimental: { enableWebAuthn: true },"): Record<string, string> {
  return {
    "package.json": manifest({ ...dependencies, "@latchkey/sql": "0.1.0", [library]: "^14.0.0" }),
    ".env.local": secret,
    "auth.ts": `import NextAuth from "@latchkey/next"
import Passkey from "@latchkey/next/providers/passkey"
import { sqlite } from "@latchkey/sql/sqlite"

export const { handlers, auth } = NextAuth({
  adapter: sqlite(":memory:"),
  ${rest}
  providers: [Passkey({ ${options} })],
})
`,
  }
}

async function doctor(folder: string, args: readonly string[] = []): Promise<Finding[]> {
  return jsonOf(await latchkey(folder, ["doctor", "--json", "--offline", ...args]))["findings"] as Finding[]
}

/** The findings about passkeys: the status and the text of each. */
async function passkeyFindings(
  given: Readonly<Record<string, string>>,
  modules: Readonly<Record<string, string>> = besidePasskeys,
): Promise<string[]> {
  const findings = await doctor(await application(given, modules))
  return findings
    .filter(({ check }) => check.startsWith("passkeys"))
    .map(({ status, message, fix = "" }) => `${status}: ${message} ${fix}`)
}

describe("latchkey doctor with passkeys", () => {
  test("shows the version of the library, and the site that passkeys belong to", async () => {
    expect(await passkeyFindings(withPasskey())).toEqual([
      expect.stringMatching(/^ok: @simplewebauthn\/server 14\./),
      expect.stringMatching(/^ok: passkeys belong to localhost, and are used on http:\/\/localhost:3000/),
    ])
  })

  test("reports a missing flag, and says which one", async () => {
    const folder = await application(withPasskey("", ""), besidePasskeys)
    expect(await doctor(folder)).toContainEqual(
      expect.objectContaining({
        status: "problem",
        check: "experimental.enableWebAuthn",
        fix: "Set `experimental.enableWebAuthn: true`",
      }),
    )
  })

  test("reports an adapter without methods for passkeys, and names them", async () => {
    const given = withPasskey()
    const text = (given["auth.ts"] ?? "")
      .replace('sqlite(":memory:")', "{ createUser() {}, getUser() {}, getUserByEmail() {} }")
      .replace("  providers", '  session: { strategy: "jwt" },\n  providers')
    const findings = await doctor(await application({ ...given, "auth.ts": text }, besidePasskeys))
    const adapter = findings.find(({ check }) => check === "adapter")
    expect(adapter).toMatchObject({ status: "problem", fix: expect.stringContaining("Add the methods") as string })
    expect(adapter?.message).toMatch(/lacks .*getAuthenticator.*createAuthenticator/)
  })

  test("reports that no adapter is set", async () => {
    const given = withPasskey()
    const text = (given["auth.ts"] ?? "").replace(/ {2}adapter.*\n/, "")
    const findings = await doctor(await application({ ...given, "auth.ts": text }, besidePasskeys))
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "adapter", status: "problem", fix: "Set `adapter`" }),
    )
  })

  test("reports that the library isn't in package.json", async () => {
    const given = { ...withPasskey(), "package.json": manifest(dependencies) }
    expect((await passkeyFindings(given, besideNext))[0]).toMatch(
      /^problem: @simplewebauthn\/server, which checks passkeys, isn't in package\.json Run `npx latchkey add passkey`/,
    )
  })

  test("reports that the library isn't installed", async () => {
    expect((await passkeyFindings(withPasskey(), besideNext))[0]).toMatch(
      /^problem: .* is in package\.json but isn't installed Run `npm install`/,
    )
  })

  test.each([
    ["8.3.7", "problem", "compatible"],
    ["9.0.3", "warning", "compatible"],
    ["9.0.3", "problem", "strict"],
    ["13.3.2", "warning", "compatible"],
    ["15.0.0", "problem", "compatible"],
  ])(
    "reports version %s of the library as a %s under %s, and names the one to install",
    async (version, status, mode) => {
      const rest = `security: "${mode}", experimental: { enableWebAuthn: true },`
      const folder = await application(withPasskey("", rest), besideNext)
      await write(folder, `node_modules/${library}/package.json`, JSON.stringify({ name: library, version }))
      const [first] = (await doctor(folder)).filter(({ check }) => check === "passkeys")
      expect(first).toMatchObject({ status, fix: expect.stringContaining('"^14.0.0"') as string })
      expect(first?.message).toContain(version)
    },
  )

  test("needs no library if the application passes its functions", async () => {
    const findings = await passkeyFindings(withPasskey("simpleWebAuthn: {}"), besideNext)
    expect(findings.filter((text) => text.includes(library))).toEqual([])
  })

  test.each([
    ["http://app.example", "", /^problem: Browsers offer no passkeys on http:\/\/app\.example, because it isn't https/],
    ["http://127.0.0.1:3000", "", /^problem: The relying party ID "127\.0\.0\.1" isn't a domain.* localhost/],
    ["https://app.example", "", /^ok: passkeys belong to app\.example/],
    [
      "https://app.example",
      'relayingParty: { id: "pp.example" }',
      /^skipped: The relying party ID pp\.example is neither/,
    ],
    ["https://www.app.example", 'relayingParty: { id: ["app.example"] }', /^ok: passkeys belong to app\.example/],
    [
      "https://app.example",
      'relayingParty: { id: "https://app.example" }',
      /^problem: .* isn't a domain.*"app\.example"/,
    ],
    ["https://app.example", 'relayingParty: { origin: "https://app.example/" }', /^problem: .* isn't an origin/],
    ["http://app.localhost:3000", "", /^ok: passkeys belong to app\.localhost/],
  ])("at %s with {%s}", async (url, options, expected) => {
    const given = { ...withPasskey(options), ".env.local": `${secret}AUTH_URL=${url}\n` }
    expect((await passkeyFindings(given))[1]).toMatch(expected)
  })

  test("checks each origin, and asks the site of the relying party about others", async () => {
    const origins =
      'relayingParty: { id: "nowhere.invalid", origin: ["https://nowhere.invalid", "https://app.example"] }'
    const folder = await application(withPasskey(origins), besidePasskeys)
    const args = ["doctor", "--json", "--timeout", "2"]
    const findings = jsonOf(await latchkey(folder, args))["findings"] as Finding[]
    expect(findings.filter(({ check }) => check === "passkeys passkey")).toMatchObject([
      { status: "ok", message: expect.stringContaining("https://nowhere.invalid") as string },
      {
        status: "problem",
        message: expect.stringContaining("https://nowhere.invalid/.well-known/webauthn doesn't list it") as string,
      },
    ])
  })

  test("checks the library without running the configuration", async () => {
    const folder = await application(withPasskey(), besideNext)
    const findings = await doctor(folder, ["--no-load"])
    expect(findings.find(({ check }) => check === "passkeys")?.status).toBe("problem")
    expect(findings.find(({ check }) => check === "provider passkey")?.message).toBe("configured")
  })

  test("says nothing about passkeys to other applications", async () => {
    const given = { ...files, ".env.local": secret, "auth.ts": auth.replace("  adapter,\n", "") }
    expect(await passkeyFindings(given, besideNext)).toEqual([])
  })
})

const version5 = {
  "auth.ts":
    'import NextAuth from "next-auth"\nimport Passkey from "next-auth/providers/passkey"\nexport const { auth } = NextAuth({ providers: [Passkey], experimental: { enableWebAuthn: true } })\n',
  "app/button.tsx":
    '"use client"\nimport { signIn } from "next-auth/webauthn"\nexport const Button = () => <button onClick={() => signIn("passkey")}>Sign in</button>\n',
}
const before = {
  next: "^15.0.0",
  "next-auth": "5.0.0-beta.32",
  [library]: "^9.0.3",
  "@simplewebauthn/browser": "^9.0.1",
}

describe("latchkey migrate with passkeys", () => {
  test("updates the library, removes the one for browsers, and leaves nothing to do", async () => {
    const folder = await application({ ...version5, "package.json": manifest(before) })
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(code).toBe(0)
    expect(stdout).toContain("@simplewebauthn/server changes from ^9.0.3 to 14.")
    expect(stdout).toContain("@simplewebauthn/browser isn't needed anymore")
    expect(await read(folder, "auth.ts")).toContain('from "@latchkey/next/providers/passkey"')
    expect(await read(folder, "app/button.tsx")).toContain('from "@latchkey/next/webauthn"')
    const { "@latchkey/next": ours, ...rest } = await dependenciesOf(folder)
    expect(ours).toBeDefined()
    expect(rest).toEqual({ next: "^15.0.0", [library]: "^14.0.0" })
    const migrated = await filesOf(folder)
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    expect(await filesOf(folder)).toEqual(migrated)
  })

  test.each([
    ["9.0.3", "14.0.0"],
    ["~9.0.3", "~14.0.0"],
    ["catalog:", "catalog:"],
    ["^14.0.1", "^14.0.1"],
  ])("changes the range %s to %s", async (range, after) => {
    const folder = await application({ ...version5, "package.json": manifest({ ...before, [library]: range }) })
    await latchkey(folder, ["migrate", "--write"])
    expect((await dependenciesOf(folder))[library]).toBe(after)
  })

  test("adds the library if package.json lacks it", async () => {
    const folder = await application({
      ...version5,
      "package.json": manifest({ next: "^15.0.0", "next-auth": "5.0.0-beta.32" }),
    })
    await latchkey(folder, ["migrate", "--write"])
    expect((await dependenciesOf(folder))[library]).toBe("^14.0.0")
  })

  test("leaves the version to code that calls the library itself", async () => {
    const own = 'import * as simpleWebAuthn from "@simplewebauthn/server"\nexport { simpleWebAuthn }\n'
    const folder = await application({ ...version5, "package.json": manifest(before), "lib/passkeys.ts": own })
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(code).toBe(0)
    expect(stdout).toContain("@simplewebauthn/server stays at ^9.0.3, because your code calls it.")
    expect((await dependenciesOf(folder))[library]).toBe("^9.0.3")
  })

  test("leaves the library for browsers to code that imports it", async () => {
    const own = 'export { startRegistration } from "@simplewebauthn/browser"\n'
    const folder = await application({ ...version5, "package.json": manifest(before), "lib/register.ts": own })
    await latchkey(folder, ["migrate", "--write"])
    expect((await dependenciesOf(folder))["@simplewebauthn/browser"]).toBe("^9.0.1")
  })

  test("leaves both libraries to an application whose sign-in doesn't use them", async () => {
    const text = 'import NextAuth from "next-auth"\nexport const { auth } = NextAuth({ providers: [] })\n'
    const folder = await application({ "auth.ts": text, "package.json": manifest(before) })
    await latchkey(folder, ["migrate", "--write"])
    expect(await dependenciesOf(folder)).toMatchObject({ [library]: "^9.0.3", "@simplewebauthn/browser": "^9.0.1" })
  })

  test("finds the libraries in the package.json above a package without dependencies", async () => {
    const workspace = Object.fromEntries(Object.entries(version5).map(([path, text]) => [`apps/web/${path}`, text]))
    const folder = await application({
      ...workspace,
      "apps/web/package.json": '{ "name": "web", "private": true }\n',
      "package.json": manifest(before),
    })
    await latchkey(folder, ["migrate", "--write"])
    const changed = await dependenciesOf(folder)
    expect(changed[library]).toBe("^14.0.0")
    expect(changed["@simplewebauthn/browser"]).toBeUndefined()
    expect(await read(folder, "apps/web/package.json")).not.toContain("simplewebauthn")
  })
})

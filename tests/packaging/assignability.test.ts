import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { folderOf, root, ts } from "./compiler.js"

interface Module {
  /** The declaration file of the published package, without an extension. */
  readonly theirs: string
  readonly ours: string
  readonly types: readonly string[]
}

const core = folderOf("@auth/core")
const dist = (short: string, file: string) => join(root, "packages", short, "dist", file)

const types: Module = {
  theirs: join(core, "types"),
  ours: dist("core", "types"),
  types: ["User", "DefaultUser", "Account", "Profile", "Session", "DefaultSession", "Theme", "TokenSet"],
}
const adapters: Module = {
  theirs: join(core, "adapters"),
  ours: dist("core", "adapters"),
  types: ["AdapterUser", "AdapterSession", "AdapterAccount", "VerificationToken", "AdapterAuthenticator"],
}
const jwt: Module = { theirs: join(core, "jwt"), ours: dist("core", "jwt"), types: ["JWT"] }
const next: Module = {
  theirs: join(folderOf("next-auth"), "index"),
  ours: dist("next", "index"),
  types: ["Session", "User", "Account", "Profile", "DefaultSession", "NextAuthRequest"],
}

type Line = (theirs: string, ours: string) => string

const accepted: Line = (theirs, ours) => `(given: ${theirs}): ${ours} => given`
const passedOn: Line = (theirs, ours) => `(given: ${ours}): ${theirs} => given`
/** An object literal may only have properties that the type has. */
const hasAllProperties: Line = (theirs, ours) =>
  `null as unknown as Exclude<Extract<keyof ${theirs}, string>, keyof ${ours}> satisfies never`
/** In the published types of Auth.js, the endpoints are `any`. Its sources declare these properties. */
const isEndpoint: Line = (_, ours) =>
  `{ url: "https://a.test", params: {}, request: async ({ provider }) => ({ tokens: {}, id: provider.id }), conform: async (response) => response } as const satisfies ${ours}`

/** The errors of a program that has one line for each type. */
async function errorsOf(modules: readonly Module[], lineFor: Line): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-types-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const lines = modules.flatMap(({ theirs, ours, types: names }, index) => [
    `import type * as theirs${index} from "${theirs}.js"`,
    `import type * as ours${index} from "${ours}.js"`,
    ...names.map((name, place) => {
      return `export const value${index}_${place} = ${lineFor(`theirs${index}.${name}`, `ours${index}.${name}`)}`
    }),
  ])
  const file = join(folder, "assign.ts")
  await writeFile(file, lines.join("\n"))
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node", "react"],
    typeRoots: [join(root, "tests", "packaging", "node_modules", "@types")],
  })
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file: source }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0
    return `${lines[line]}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  })
}

test("a value of each of these types of Auth.js 5 is accepted here", async () => {
  const more: readonly Module[] = [
    { ...types, types: ["PagesOptions", "CookiesOptions", "CookieOption", "LoggerInstance"] },
    { ...adapters, types: ["Adapter"] },
    { ...jwt, types: ["JWTEncodeParams", "JWTDecodeParams", "JWTOptions"] },
    {
      theirs: join(core, "providers", "index"),
      ours: dist("core", join("providers", "index")),
      types: [
        "OAuthConfig<{ sub: string }>",
        "OAuth2Config<{ id: number }>",
        "OIDCConfig<{ sub: string }>",
        "OAuthUserConfig<{ sub: string }>",
        "OIDCUserConfig<{ sub: string }>",
        "AppProvider",
        "ProviderId",
      ],
    },
  ]
  expect(await errorsOf([types, adapters, jwt, next, ...more], accepted)).toEqual([])
})

test("a value of each of these types is accepted by code for Auth.js 5", async () => {
  expect(await errorsOf([types, adapters, jwt, next], passedOn)).toEqual([])
})

test("object literals of these types of Auth.js 5 have no unknown property here", async () => {
  const oauth = { theirs: join(core, "providers", "oauth"), ours: dist("core", join("provider-kit", "oauth")) }
  const configured = ["OAuth2Config", "OIDCConfig", "OAuthUserConfig", "OIDCUserConfig"].map(
    (name) => `${name}<{ sub: string }>`,
  )
  const endpoints = ["AuthorizationEndpointHandler", "TokenEndpointHandler", "UserinfoEndpointHandler"]
  const modules: readonly Module[] = [
    { ...oauth, types: configured },
    { ...types, types: ["AuthConfig", "PagesOptions", "CookiesOptions", "CookieOption", "Theme"] },
    { ...types, types: ["User", "Account", "Profile", "Session"] },
    { ...adapters, types: ["Adapter", "AdapterUser", "AdapterSession", "AdapterAccount", "VerificationToken"] },
    { ...jwt, types: ["JWTEncodeParams", "JWTDecodeParams", "JWTOptions", "GetTokenParams"] },
    {
      theirs: join(core, "providers", "index"),
      ours: dist("core", join("providers", "index")),
      types: ["EmailConfig"],
    },
    {
      theirs: join(folderOf("next-auth"), "lib", "client"),
      ours: dist("next", join("lib", "client")),
      types: ["SignInOptions", "SignOutParams", "SessionProviderProps", "UseSessionOptions<true>"],
    },
  ]
  expect(await errorsOf(modules, hasAllProperties)).toEqual([])
  expect(await errorsOf([{ ...oauth, types: endpoints }], isEndpoint)).toEqual([])
})

import { execFile } from "node:child_process"
import { rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { declarationsOf, root, ts } from "./compiler.js"
import { install } from "./installed.js"

const published = [
  "adapter-kit",
  "anonymous",
  "api-keys",
  "audit",
  "client",
  "core",
  "device-bound",
  "express",
  "logout",
  "mfa",
  "next",
  "next-auth-4",
  "password",
  "phone",
  "qwik",
  "rate-limit",
  "react",
  "redis",
  "sql",
  "testing",
]

/** Entries that only the bundler of a framework loads. */
const bundled = ["@latchkey/qwik", "@auth/qwik"]

/** The packages that ours replace. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  core: ["@auth/core"],
  express: ["@auth/express"],
  next: ["next-auth"],
  qwik: ["@auth/qwik"],
}

/** Every sub-path of every package, also under the names of the packages that they replace. */
const specifiers = published.flatMap((short) => {
  const subpaths = [...declarationsOf(join(root, "packages", short)).keys()]
  const names = [`@latchkey/${short}`, ...(replaced[short] ?? [])]
  const all = names.flatMap((name) => subpaths.map((subpath) => name + subpath.slice(1)))
  return all.filter((specifier) => !bundled.includes(specifier))
})

const example = `
import NextAuth, { type DefaultSession, type NextAuthConfig } from "next-auth"
import type { JWT } from "next-auth/jwt"
import type { Adapter } from "next-auth/adapters"
import type { Provider } from "next-auth/providers"
import type { OAuthConfig, OAuthUserConfig } from "next-auth/providers/oauth"
import GitHub, { type GitHubProfile } from "next-auth/providers/github"
import Passkey from "next-auth/providers/passkey"
import WebAuthn from "next-auth/providers/webauthn"
import { signIn as signInWithPasskey } from "next-auth/webauthn"
import { useSession } from "next-auth/react"
import type { NextAuthRequest } from "next-auth/lib"
import type { ClientSafeProvider } from "next-auth/lib/client"
import type { AppRouteHandlerFnContext } from "next-auth/lib/types"
import { customFetch } from "@auth/core"
import { ExpressAuth, getSession } from "@auth/express"

declare module "next-auth" {
  interface Session {
    accessToken?: string
    user: { role: string } & DefaultSession["user"]
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    accessToken?: string
  }
}
declare module "@auth/core/types" {
  interface User {
    level?: number
  }
}

declare const adapter: Adapter
const providers: Provider[] = [
  GitHub({ profile: (profile: GitHubProfile) => ({ id: String(profile.id), name: profile.login }) }),
  Passkey({ formFields: { email: { label: "Username", required: true, autocomplete: "username webauthn" } } }),
  WebAuthn({ enableConditionalUI: false }),
]
function Acme(options: OAuthUserConfig<{ sub: string }>): OAuthConfig<{ sub: string }> {
  return { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.example", options, [customFetch]: fetch }
}
const config: NextAuthConfig = {
  adapter,
  providers: [...providers, Acme({})],
  session: { strategy: "jwt" },
  callbacks: {
    jwt({ token, account }) {
      return account?.provider === "keycloak" ? { ...token, accessToken: account.access_token } : token
    },
    session({ session, token }) {
      if (token.accessToken) session.accessToken = token.accessToken
      return session
    },
  },
  experimental: { enableWebAuthn: true },
}
export const { handlers, auth, signIn, signOut } = NextAuth(config)
export const GET = auth((request: NextAuthRequest, context: AppRouteHandlerFnContext) =>
  Response.json([request.auth?.user.role, context]),
)
export const names = (all: ClientSafeProvider[]): string[] => all.map(({ name }) => name)
export const role = async (): Promise<string | undefined> => (await auth())?.user.role
export const token = (jwt: JWT): string | undefined => jwt.accessToken
export const level = async (): Promise<number | undefined> => (await auth())?.user.level
export const app = [ExpressAuth({ providers }), getSession, useSession, signInWithPasskey]
`

/** The interfaces come from the declarations that the entries share. */
const augmented = `
import type { Session as SessionOfCore } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { JWT } from "@latchkey/core/jwt"
import type { AuthConfig, Session } from "@latchkey/core/types"
import { createAuth, type Session as SessionOfExpress } from "@latchkey/express"
import type { AppSession } from "@latchkey/fastify"
import type { FastifyRequest } from "fastify"

declare module "@latchkey/core/types" {
  interface Session {
    tenant: string
  }
  interface User {
    level: number
  }
}
declare module "@latchkey/core/jwt" {
  interface JWT {
    tenant?: string
  }
}
declare module "@latchkey/core/adapters" {
  interface AdapterUser {
    plan: "free" | "paid"
  }
}
declare module "@latchkey/fastify" {
  interface Register {
    config: typeof config
  }
}

const config = {
  providers: [],
  callbacks: {
    jwt: ({ token, user }) => (user && user.level > 1 ? { ...token, tenant: "acme" } : token),
    session: ({ session, token }) => ({ ...session, tenant: token.tenant ?? "", role: "admin" as const }),
  },
} satisfies AuthConfig
export const auth = createAuth(config)
export const tenants = [(session: Session): string => session.tenant, (session: SessionOfCore): string => session.tenant]
export const tenant = (session: SessionOfExpress): string => session.tenant
export const role = async (request: FastifyRequest): Promise<"admin" | undefined> => (await request.getSession())?.role
export const appRole = (session: AppSession): "admin" => session.role
export const plan = async (adapter: Adapter): Promise<"free" | "paid" | undefined> => (await adapter.getUser?.("1"))?.plan
export const token: JWT = { tenant: "acme" }
// @ts-expect-error A tenant is a string.
export const wrong: JWT = { tenant: 1 }
// @ts-expect-error No module adds it.
export const missing = (session: Session): string => session.missing
`

let project: string

beforeAll(async () => {
  project = await install()
  const imports = specifiers.map((specifier, index) => `import * as m${index} from ${JSON.stringify(specifier)}`)
  const uses = specifiers.map((_specifier, index) => `m${index}`)
  await writeFile(join(project, "every.ts"), `${imports.join("\n")}\nexport const every = [${uses.join(", ")}]\n`)
  await writeFile(join(project, "example.ts"), example)
  await writeFile(join(project, "augmented.ts"), augmented)
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
})

afterAll(() => rm(project, { recursive: true, force: true }))

describe.each([
  ["node", ts.ModuleResolutionKind.Node10, ts.ModuleKind.ESNext],
  ["node16", ts.ModuleResolutionKind.Node16, ts.ModuleKind.Node16],
  ["nodenext", ts.ModuleResolutionKind.NodeNext, ts.ModuleKind.NodeNext],
  ["bundler", ts.ModuleResolutionKind.Bundler, ts.ModuleKind.ESNext],
] as const)("with `moduleResolution: %s`", (_name, moduleResolution, module) => {
  /** The errors in the given files and in the declarations of the packages. */
  function errorsOf(files: readonly string[]): readonly string[] {
    const program = ts.createProgram(
      files.map((file) => join(project, file)),
      {
        module,
        moduleResolution,
        target: ts.ScriptTarget.ES2022,
        lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
        jsx: ts.JsxEmit.Preserve,
        strict: true,
        noEmit: true,
        esModuleInterop: true,
        types: ["node", "react"],
        typeRoots: [join(project, "node_modules", "@types")],
      },
    )
    return ts
      .getPreEmitDiagnostics(program)
      .filter(({ file }) => file === undefined || isOurs(file.fileName))
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`)
  }

  test("every sub-path resolves, and so does what its declarations import", () => {
    expect(specifiers.length).toBeGreaterThan(500)
    expect(errorsOf(["every.ts"])).toEqual([])
  })

  test("an application of Auth.js 5 compiles", () => {
    expect(errorsOf(["example.ts"])).toEqual([])
  })

  test("an application that adds fields to our types compiles", () => {
    expect(errorsOf(["augmented.ts"])).toEqual([])
  })

  function isOurs(file: string): boolean {
    return file.startsWith(project)
  }
})

describe("TypeScript 7", () => {
  describe.each(["nodenext", "bundler"])("with `moduleResolution: %s`", (moduleResolution) => {
    /** The errors in the given files and in the declarations of our packages. */
    async function errorsOf(files: readonly string[]): Promise<readonly string[]> {
      const module = moduleResolution === "bundler" ? "esnext" : moduleResolution
      const options = { module, moduleResolution, target: "es2022", strict: true, noEmit: true, types: ["node"] }
      const name = `tsconfig.${moduleResolution}.json`
      await writeFile(join(project, name), JSON.stringify({ compilerOptions: options, files }))
      const tsc = join(root, "node_modules", ".bin", "tsc")
      const { stdout } = await promisify(execFile)(tsc, ["-p", name], { cwd: project }).catch(
        (error: { readonly stdout: string }) => error,
      )
      return stdout.split("\n").filter((line) => /^(?:\w+\.ts|node_modules\/@latchkey\/)|^error/.test(line))
    }

    test("every sub-path resolves, and so does what its declarations import", async () => {
      expect(await errorsOf(["every.ts"])).toEqual([])
    })

    test("an application of Auth.js 5 compiles", async () => {
      expect(await errorsOf(["example.ts"])).toEqual([])
    })

    test("an application that adds fields to our types compiles", async () => {
      expect(await errorsOf(["augmented.ts"])).toEqual([])
    })
  })
})

/** As `require` does, and a test runner that compiles to CommonJS. Node 22.12 and newer can load ES modules this way. */
test("`require` finds every sub-path and loads it", () => {
  const require = createRequire(join(project, "index.cjs"))
  const gone = /\/(?:middleware|next)$/
  const loadable = specifiers.filter((specifier) => !gone.test(specifier) || specifier === "@latchkey/next")
  const failures = loadable.flatMap((specifier) => {
    try {
      require(specifier)
      return []
    } catch (error) {
      return [`${specifier}: ${String(error)}`]
    }
  })
  expect(failures).toEqual([])
})

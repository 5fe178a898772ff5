import { createRequire } from "node:module"
import { nearest } from "@latchkey/core/options"
import { catalogue, type CatalogueEntry } from "@latchkey/core/providers/catalogue"
import { Failure } from "./failure.js"

/** A provider of an account at a service, of an email link, or of a passkey. */
export interface Entry extends Omit<CatalogueEntry, "id" | "type"> {
  readonly id: string
  readonly type: CatalogueEntry["type"] | "webauthn"
}

/** Passkeys need no registration at a service, so the catalogue of `@latchkey/core` doesn't have them. */
const passkeys: readonly Entry[] = [
  { id: "passkey", module: "passkey", name: "Passkey", exportName: "Passkey" },
  { id: "webauthn", module: "webauthn", name: "WebAuthn", exportName: "WebAuthn" },
].map((entry) => ({
  ...entry,
  type: "webauthn",
  needs: [],
  options: [],
  issuer: undefined,
  env: {},
  deprecated: false,
  docs: "https://www.w3.org/TR/webauthn-3/",
}))

const providers: readonly Entry[] = [...catalogue, ...passkeys]

/** A feature that is a package of its own. */
export interface ModuleEntry {
  readonly id: string
  readonly name: string
  readonly package: string
  readonly exportName: string
  /** Options that it can't do without, as an example. */
  readonly options?: string
  /** It can't do without emails. */
  readonly mails?: boolean
  /** It needs no adapter. */
  readonly worksAlone?: boolean
}

const modules: readonly ModuleEntry[] = [
  { id: "password", name: "Passwords", exportName: "password", mails: true },
  { id: "mfa", name: "Second factors", exportName: "mfa", mails: true },
  {
    id: "phone",
    name: "Phone numbers",
    exportName: "phone",
    options: "{ send: async ({ to }) => Promise.reject(new Error(`No service sends messages to ${to} yet`)) }",
  },
  { id: "anonymous", name: "Anonymous users", exportName: "anonymous" },
  { id: "bearer", name: "Access tokens", exportName: "bearer", options: '{ audiences: ["https://api.example.com"] }' },
  {
    id: "api-keys",
    name: "API keys",
    exportName: "apiKeys",
    options: '{ prefix: "app", scopes: ["read", "write"] }',
    mails: true,
  },
  { id: "audit", name: "Audit logs", exportName: "audit", worksAlone: true },
].map((entry) => ({ ...entry, package: `@latchkey/${entry.id}` }))

/** Every module that Latchkey has. */
export function allModules(): readonly ModuleEntry[] {
  return modules
}

/** Every provider that comes with `@latchkey/core` and that can be added without code of your own. */
export function allProviders(): readonly Entry[] {
  return providers
}

/** @throws Failure that names the most similar ids */
export function providerOf(id: string): Entry {
  return found(id, "provider", providers)
}

/** @throws Failure that names the most similar ids */
export function providerOrModuleOf(id: string): Entry | ModuleEntry {
  return found<Entry | ModuleEntry>(id, "provider or module", [...providers, ...modules])
}

function found<E extends { readonly id: string }>(id: string, kind: string, all: readonly E[]): E {
  const wanted = id.toLowerCase()
  const entry = all.find((one) => one.id === wanted)
  if (entry !== undefined) return entry
  const similar = nearest(
    wanted,
    all.map((one) => one.id),
  ).slice(0, 3)
  const hint =
    similar.length === 0 ? "Run `npx latchkey add --list` to see all." : `Did you mean ${similar.join(" or ")}?`
  throw new Failure(`There is no ${kind} "${id}". ${hint}`, { code: 2 })
}

/** Whether this version of `@latchkey/core` has `providers/<module>`. */
export function hasProviderModule(module: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`@latchkey/core/providers/${module}`)
    return true
  } catch {
    return false
  }
}

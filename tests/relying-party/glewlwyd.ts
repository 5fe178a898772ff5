import { execFile } from "node:child_process"
import { generateKeyPairSync, type JsonWebKey } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import type { AuthorizationAnswer } from "@latchkey/testing"
import type { GlewlwydFiles } from "../servers/glewlwyd.js"
import { freePort, startServer, temporaryFolder } from "../servers/process.js"
import { answerOf, openAtProvider } from "./at-provider.js"
import { home, redirectUri } from "./app.js"

export type Algorithm = "RS256" | "PS256" | "ES256" | "EdDSA"

export interface IssuerOptions {
  /** The algorithm that signs ID tokens. Default: `"RS256"`. */
  readonly algorithm?: Algorithm
  /** Whether responses have `iss` (RFC 9207). Default: `true`. */
  readonly issParameter?: boolean
}

/** A running Glewlwyd with one user, clients and its own database. */
export interface Glewlwyd {
  /** Adds an OpenID plugin, which is an issuer with its own keys. */
  newIssuer(options?: IssuerOptions): Promise<{ readonly issuer: string; rotateKeys(): Promise<void> }>
  /** Opens the authorization URL, signs in, consents, and returns the response. */
  consent(address: string, clientId: string): Promise<AuthorizationAnswer>
  stop(): Promise<void>
}

export interface Client {
  readonly id: string
  readonly secret?: string
  readonly authentication: "client_secret_basic" | "client_secret_post" | "none"
}

export const ada = {
  username: "ada",
  password: "difference engine no. 2",
  name: "Ada Lovelace",
  email: "ada@example.test",
}

export async function startGlewlwyd(files: GlewlwydFiles, clients: readonly Client[]): Promise<Glewlwyd> {
  const [port, folder] = await Promise.all([freePort(), temporaryFolder("glewlwyd")])
  const origin = `http://127.0.0.1:${port}`
  const database = join(folder, "glewlwyd.db")
  await promisify(execFile)("sqlite3", [database, "PRAGMA synchronous = OFF; BEGIN", `.read ${files.tables}`, "COMMIT"])
  const config = join(folder, "glewlwyd.conf")
  await writeFile(config, settings({ port, origin, database, modules: files.modules }))
  const ready = /Glewlwyd started on port/
  const { stop } = await startServer({ program: files.program, args: [`--config-file=${config}`], folder, ready })
  try {
    await connected(origin)
    return { ...(await furnish(origin, clients)), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function furnish(origin: string, clients: readonly Client[]): Promise<Omit<Glewlwyd, "stop">> {
  const administer = await signedInAsAdministrator(origin)
  await administer("POST", "/user/", { ...ada, scope: ["openid"], enabled: true })
  for (const client of clients) await administer("POST", "/client/", registration(client))
  let issuers = 0
  return {
    newIssuer: (options) => newIssuer(administer, { origin, name: `op${(issuers += 1)}` }, options),
    consent: (address, clientId) => consent(origin, address, clientId),
  }
}

/** Waits until it listens, which is a little after it says so. */
async function connected(origin: string, attempts = 6000): Promise<void> {
  try {
    await (await fetch(`${origin}/config`)).body?.cancel()
  } catch (cause) {
    if (attempts === 0) throw new Error(`Glewlwyd is not reachable at ${origin}`, { cause })
    await setTimeout(10)
    await connected(origin, attempts - 1)
  }
}

/** `use_secure_connection` is a number because version 2.7.5 reads `false` as true. */
function settings({
  port,
  origin,
  database,
  modules,
}: Readonly<Record<"origin" | "database" | "modules", string>> & { port: number }): string {
  return `
port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="INFO"
cookie_secure=0
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${modules}/user"
client_module_path="${modules}/client"
user_auth_scheme_module_path="${modules}/scheme"
plugin_module_path="${modules}/plugin"
use_secure_connection=0
hash_algorithm="SHA512"
database = { type = "sqlite3"; path = "${database}"; };
`
}

type Administer = (method: "POST" | "PUT", path: string, json: unknown) => Promise<void>

/** Signs in to the account that comes with the tables. */
async function signedInAsAdministrator(origin: string): Promise<Administer> {
  const browser = openAtProvider(home)
  const administer: Administer = async (method, path, json) => {
    const page = await browser.open(`${origin}/api${path}`, { method, json })
    if ("method" in page || page.status !== 200) throw new Error(`${method} ${path} failed: ${JSON.stringify(page)}`)
  }
  await administer("POST", "/auth/", { username: "admin", password: "password" })
  return administer
}

function registration({ id, secret, authentication }: Client): Readonly<Record<string, unknown>> {
  return {
    client_id: id,
    name: id,
    enabled: true,
    confidential: secret !== undefined,
    ...(secret === undefined ? {} : { client_secret: secret }),
    redirect_uri: [redirectUri],
    authorization_type: ["code"],
    token_endpoint_auth_method: [authentication],
    scope: [],
  }
}

async function newIssuer(
  administer: Administer,
  { origin, name }: { readonly origin: string; readonly name: string },
  { algorithm = "RS256", issParameter = true }: IssuerOptions = {},
): ReturnType<Glewlwyd["newIssuer"]> {
  const issuer = `${origin}/api/${name}`
  const plugin = (generation: number) => ({
    module: "oidc",
    name,
    display_name: name,
    parameters: { ...parameters, iss: issuer, "oauth-as-iss-id": issParameter, ...signing(algorithm, generation) },
  })
  await administer("POST", "/mod/plugin/", plugin(0))
  let generation = 0
  return {
    issuer,
    async rotateKeys() {
      await administer("PUT", `/mod/plugin/${name}`, plugin((generation += 1)))
      await administer("PUT", `/mod/plugin/${name}/reset`, {})
    },
  }
}

const parameters = {
  "access-token-duration": 3600,
  "refresh-token-duration": 3600,
  "code-duration": 60,
  "refresh-token-rolling": false,
  "allow-non-oidc": false,
  "auth-type-code-enabled": true,
  "auth-type-token-enabled": false,
  "auth-type-id-token-enabled": true,
  "auth-type-password-enabled": false,
  "auth-type-client-enabled": false,
  "auth-type-refresh-enabled": false,
  "pkce-allowed": true,
  "pkce-required": true,
  "subject-type": "public",
  "name-claim": "mandatory",
  "email-claim": "mandatory",
  "jwks-show": true,
  "allowed-scope": ["openid"],
}

function signing(algorithm: Algorithm, generation: number): Readonly<Record<string, string>> {
  const kid = `${algorithm}-${generation}`
  const key = made.get(kid) ?? keyFor(algorithm).export({ format: "jwk" })
  made.set(kid, key)
  return { "jwks-private": JSON.stringify({ keys: [{ ...key, kid, alg: algorithm }] }), "default-kid": kid }
}

/** Generating keys is slow. */
const made = new Map<string, JsonWebKey>()

function keyFor(algorithm: Algorithm): ReturnType<typeof generateKeyPairSync>["privateKey"] {
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519").privateKey
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
}

async function consent(origin: string, address: string, clientId: string): Promise<AuthorizationAnswer> {
  const browser = openAtProvider(home)
  const arrival = await browser.open(address)
  // With `prompt=none` there is no page.
  if ("method" in arrival) return arrival
  const back = arrival.url.searchParams.get("callback_url")
  if (back === null) throw new Error(`Glewlwyd shows no login page but ${arrival.url.href}: ${arrival.text}`)
  const { username, password } = ada
  await browser.open(`${origin}/api/auth/`, { method: "POST", json: { username, password } })
  await browser.open(`${origin}/api/auth/grant/${clientId}`, { method: "PUT", json: { scope: "openid" } })
  return answerOf(await browser.open(`${back}&g_continue`))
}

import { generateKeyPairSync, type JsonWebKey, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import Provider, { type ClientMetadata, type Configuration, type JWK, type KoaContextWithOIDC } from "oidc-provider"
import { memoryAdapter } from "../../examples/demo/src/oidc-memory.js"
import { redirectUri } from "./app.js"

/** `oidc-provider` on a local port. */
export interface RealProvider {
  readonly issuer: string
  /** `METHOD /path` of every request, oldest first. */
  readonly asked: readonly string[]
  /** Replaces the keys. */
  rotateKeys(): void
  stop(): Promise<void>
}

export const ada = { sub: "ada", name: "Ada Lovelace", email: "ada@example.test" }

/** Signs in Ada without a page, except with `prompt=none`, which fails because no user is signed in. */
const interaction = "/interaction/"

/** @param more of its configuration */
export async function startOpenIdProvider(
  clients: readonly ClientMetadata[],
  more: Configuration = {},
): Promise<RealProvider> {
  const asked: string[] = []
  const adapter = memoryAdapter()
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${new URL(request.url ?? "/", "http://op").pathname}`)
    if (provider !== undefined) answer(provider, request, response).catch((cause) => response.destroy(cause))
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  const issuer = `http://127.0.0.1:${port}`
  const begin = (generation: number) => {
    provider = new Provider(issuer, { ...configure(clients, more), adapter, jwks: { keys: [...keysOf(generation)] } })
  }
  let generation = 0
  begin(generation)
  return {
    issuer,
    asked,
    rotateKeys: () => begin((generation += 1)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith(interaction) !== true) return provider.callback()(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: ada.sub } })
}

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const

function configure(clients: readonly ClientMetadata[], { features, ...others }: Configuration): Configuration {
  return {
    clients: clients.map((client) => ({ redirect_uris: [redirectUri], ...client })),
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    enabledJWA: {
      idTokenSigningAlgValues: [...algorithms],
      userinfoSigningAlgValues: [...algorithms],
      clientAuthSigningAlgValues: ["HS256", "ES256"],
    },
    features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: true }, ...features },
    interactions: { url: (_ctx, { uid }) => `${interaction}${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...ada, email_verified: true }) }),
    loadExistingGrant: consent,
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
    ...others,
  }
}

async function consent({ oidc }: KoaContextWithOIDC): Promise<InstanceType<Provider["Grant"]> | undefined> {
  const { client, session, provider } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope("openid profile email")
  await grant.save()
  return grant
}

/** Generating keys is slow. */
const made = new Map<number, readonly JWK[]>()

function keysOf(generation: number): readonly JWK[] {
  const keys = made.get(generation) ?? newKeys(generation)
  made.set(generation, keys)
  return keys
}

function newKeys(generation: number): JWK[] {
  return [
    { ...jwk(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey), kid: `rsa-${generation}` },
    { ...jwk(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey), kid: `ec-${generation}` },
    { ...jwk(generateKeyPairSync("ed25519").privateKey), kid: `ed-${generation}` },
  ]
}

function jwk(key: { export(options: { format: "jwk" }): JsonWebKey }): JWK {
  const { kty, ...members } = key.export({ format: "jwk" })
  if (kty === undefined) throw new Error("The key has no type")
  return { ...members, kty, use: "sig" }
}

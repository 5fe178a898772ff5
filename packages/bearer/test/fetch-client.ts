/** This app at the site, as `clients` of its configuration has it. */
export interface App {
  /** The URL of the module: `https://example.com/auth/bearer`. */
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** `open` opens the system browser, and returns the URL that it comes back with. */
export async function signIn(app: App, open: (url: string) => Promise<string>): Promise<Tokens> {
  const [verifier, state] = [randomText(), randomText()]
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: "code",
    scope: "notes offline_access",
    code_challenge: await sha256(verifier),
    code_challenge_method: "S256",
    state,
  })
  const { searchParams: answer } = new URL(await open(`${app.issuer}/authorize?${query}`))
  const code = answer.get("code")
  if (answer.get("state") !== state || answer.get("iss") !== app.issuer) throw new Error("It answers another request")
  if (code === null) throw new Error(`The user isn't signed in: ${answer.get("error")}`)
  return ask(app, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: app.redirectUri,
  })
}

/** Before the access token expires, or after a 401. Keep what it returns: a refresh token works once. */
export function refresh(app: App, { refresh_token }: Tokens): Promise<Tokens> {
  return ask(app, { grant_type: "refresh_token", refresh_token })
}

async function ask({ issuer, clientId }: App, fields: Record<string, string>): Promise<Tokens> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
  })
  // 400: the user signed out, or has to sign in again. Anything else is worth another attempt.
  if (!response.ok) throw new Error(`The sign-in ended with ${response.status}`)
  return (await response.json()) as Tokens
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

async function sha256(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "")
}

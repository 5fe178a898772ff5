import type { Anything } from "./model.js"

interface Endpoints {
  readonly token: { readonly url: URL | undefined }
  readonly userinfo: { readonly url: URL | undefined }
}

/** The methods of openid-client's `Client` that applications call in `token.request` and `userinfo.request`. */
export function clientFor({ clientId, clientSecret, callbackUrl }: Anything, endpoints: Endpoints): Anything {
  const grant = async (body: Record<string, Anything>) => {
    const fields = { ...body, client_id: clientId, client_secret: clientSecret }
    const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
    const form = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
    return read(endpoints.token.url, { method: "POST", body: form, headers: { accept: "application/json" } })
  }
  const callback = async (
    redirectUri: string | undefined,
    { code }: Anything,
    { code_verifier }: Anything = {},
    { exchangeBody }: Anything = {},
  ) =>
    grant({
      grant_type: "authorization_code",
      redirect_uri: redirectUri ?? callbackUrl,
      code,
      code_verifier,
      ...exchangeBody,
    })
  return {
    metadata: { client_id: clientId, client_secret: clientSecret },
    grant,
    callback,
    oauthCallback: callback,
    userinfo: async (tokens: Anything, { params = {} }: Anything = {}) => {
      const url = endpoints.userinfo.url && new URL(endpoints.userinfo.url)
      for (const [name, value] of Object.entries(params)) url?.searchParams.set(name, String(value))
      const token = typeof tokens === "string" ? tokens : tokens.access_token
      return read(url, { headers: { accept: "application/json", authorization: `Bearer ${token}` } })
    },
  }
}

async function read(url: URL | undefined, init: RequestInit): Promise<Anything> {
  if (url === undefined) throw new Error("The provider has no URL for this request. Add `url` to its endpoint")
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`The provider answered with status ${response.status}`)
  return response.json()
}

import { AuthError, CredentialsSignin, InvalidProvider, MissingCSRF } from "../errors.js"
import { askedUrl } from "../http/incoming.js"
import { redirect } from "../http/outcome.js"
import { toRoute } from "../http/redirect.js"
import { toRequest } from "../http/request.js"
import { identifiersOf } from "../limits/identifier.js"
import { spend } from "../limits/limiter.js"
import type { Incoming } from "../model/http.js"
import type { CredentialsProvider } from "../model/resolved-provider.js"
import type { CredentialsProof, Method } from "../model/signin.js"
import type { User } from "../model/user.js"

/** Fields of our own protocol: not what the person typed. */
const protocolFields: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl", "redirect", "redirectTo", "json"])

/** The application checks what was typed (spec/flows.md §4). */
export const credentials: Method = {
  /** Credentials are posted to the callback; whoever comes here wants the form. */
  start: async (_auth, _provider, incoming) => redirect(toRoute(incoming, "signin")),

  async finish(auth, provider, incoming): Promise<CredentialsProof> {
    if (incoming.method !== "POST" || provider.type !== "credentials") {
      throw new InvalidProvider("Credentials are only accepted by POST to this callback")
    }
    if (!(await incoming.csrf.verified())) throw new MissingCSRF("The form was not sent from one of our pages")
    const typed = Object.fromEntries(Object.entries(incoming.body).filter(([name]) => !protocolFields.has(name)))
    const identifiers = identifiersOf(provider, typed)
    const giveBack = await spend(auth, incoming, { action: "credentials", identifiers })
    const user = identified(await authorize(provider, typed, incoming))
    await giveBack()
    return {
      kind: "credentials",
      provider,
      user,
      account: { providerAccountId: user.id, type: "credentials", provider: provider.id },
      credentials: typed,
      callbackUrl: askedUrl(incoming),
    }
  },
}

async function authorize(
  provider: CredentialsProvider,
  typed: Record<string, unknown>,
  incoming: Incoming,
): Promise<User> {
  const user = await provider.authorize(typed, toRequest(incoming))
  if (!user) throw new CredentialsSignin("authorize() did not recognise the credentials")
  return user
}

function identified(user: User): User & { readonly id: string } {
  const id: unknown = typeof user === "object" ? user.id : undefined
  if ((typeof id === "string" && id !== "") || (typeof id === "number" && Number.isFinite(id)))
    return { ...user, id: String(id) }
  throw new AuthError("authorize() returned something that is no user: return an object with a non-empty `id`, or null")
}

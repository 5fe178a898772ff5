import { AuthError, CredentialsSignin, InvalidProvider, MissingCSRF } from "../../errors.js"
import { requestedCallbackUrl, toRequest } from "../../http/auth-request.js"
import { redirect } from "../../http/auth-result.js"
import { toRoute } from "../../http/redirect.js"
import { identifiersOf } from "../../limits/identifier.js"
import { consumeAttempt } from "../../limits/limiter.js"
import type { Method } from "../../model/auth.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"
import type { AuthRequest } from "../../model/http.js"
import type { CredentialsProof } from "../../model/signin.js"
import type { User } from "../../model/user.js"

/** Fields of the built-in forms and clients. The rest is what the user typed. */
const protocolFields: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl", "redirect", "redirectTo", "json"])

/** The application's `authorize` checks what the user typed. */
export const credentials: Method = {
  /** Credentials go to the callback route, so the sign-in route only shows the form. */
  start: async (_auth, _provider, request) => redirect(toRoute(request, "signin")),

  async finish(auth, provider, request): Promise<CredentialsProof> {
    if (request.method !== "POST" || provider.type !== "credentials") {
      throw new InvalidProvider("Credentials are only accepted by POST to the callback of a credentials provider")
    }
    if (!(await request.csrf.verified()))
      throw new MissingCSRF("The form wasn't sent from this site, or its CSRF token is missing or expired")
    const typed = Object.fromEntries(Object.entries(request.body).filter(([name]) => !protocolFields.has(name)))
    const identifiers = identifiersOf(provider, typed)
    const refund = await consumeAttempt(auth, request, { action: "credentials", identifiers })
    const user = identified(await authorize(provider, typed, request))
    // A successful sign-in doesn't count against the rate limit.
    await refund()
    return {
      kind: "credentials",
      provider,
      user,
      account: { providerAccountId: user.id, type: "credentials", provider: provider.id },
      credentials: typed,
      callbackUrl: requestedCallbackUrl(request),
    }
  },
}

async function authorize(
  provider: CredentialsProvider,
  typed: Record<string, unknown>,
  request: AuthRequest,
): Promise<User> {
  const user = await provider.authorize(typed, toRequest(request))
  if (!user) throw new CredentialsSignin("authorize() didn't accept the credentials")
  return user
}

function identified(user: User): User & { readonly id: string } {
  const id: unknown = typeof user === "object" ? user.id : undefined
  if ((typeof id === "string" && id !== "") || (typeof id === "number" && Number.isFinite(id)))
    return { ...user, id: String(id) }
  throw new AuthError("authorize() returned no valid user. Return an object with a non-empty `id`, or null")
}

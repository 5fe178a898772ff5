import { refusals } from "./ceremony.js"
import type {
  Answer,
  Ceremony,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
} from "./model.js"
import { fieldOf, formResult } from "./result.js"
import type { Sync } from "./sync.js"
import type { Transport } from "./transport.js"
import { withoutError } from "./urls.js"

type SignInFunction = (
  provider?: string,
  options?: SignInOptions<boolean>,
  params?: SignInAuthorizationParams,
  ceremony?: Ceremony,
) => Promise<SignInResponse | undefined>

interface SignInForm {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly redirectTo: string
  readonly params: SignInAuthorizationParams | undefined
  readonly ceremony: Ceremony | undefined
}

interface Attempt {
  readonly answer: Answer
  /** A successful response sets the session. Other providers need another step, such as a link in an email. */
  readonly isImmediate?: boolean
  /** The provider is missing or unknown, so the user chooses one on the sign-in page. */
  readonly isUnknown?: boolean
  /** The ceremony gave no proof, so no form was sent. Has the error if it isn't in the answer. */
  readonly unproven?: { readonly error?: string }
}

export function createSignIn<S>(transport: Transport, sync: Sync<S>): SignInFunction {
  return async (id = "", options = {}, params, ceremony) => {
    const { redirect, redirectTo, fields } = parseOptions(options, transport.pageUrl())
    const { answer, isImmediate, isUnknown, unproven } = await attempt({ id, fields, redirectTo, params, ceremony })
    const { target, ...result } = formResult(answer, redirectTo, transport.pageUrl())
    const response = { ...result, ...unproven }
    const signInPage = `${transport.baseUrl()}/signin?${new URLSearchParams({ callbackUrl: redirectTo })}`
    if (isUnknown) transport.navigate(signInPage)
    else if (redirect && !unproven) transport.navigate(target ?? `${transport.baseUrl()}/error`)
    if (redirect) return undefined
    if (response.ok && isImmediate) await sync.read({ fresh: true })
    return response
  }

  async function attempt(form: SignInForm): Promise<Attempt> {
    const { id, fields, ceremony } = form
    if (!ceremony && !id) return unknownProvider
    if (!ceremony) return sync.runExclusive(() => submit(form))
    const providers = await transport.get("providers")
    if (!providers.ok) return { answer: providers }
    const proof = await ceremony({ send: transport.send, provider: { id, type: typeOf(providers, id) }, fields })
    if ("refusal" in proof) return { answer: proof.refusal, unproven: {} }
    if ("canceled" in proof) return { answer: noAnswer, unproven: { error: proof.canceled } }
    const attempted = await sync.runExclusive(() => submit({ ...form, fields: { ...fields, ...proof.shown } }))
    const { error } = formResult(attempted.answer, form.redirectTo, transport.pageUrl())
    if (refusals.has(error)) proof.onRefused?.()
    return attempted
  }

  async function submit({ id, fields, redirectTo, params, ceremony }: SignInForm): Promise<Attempt> {
    const csrf = transport.get("csrf")
    const providers = await transport.get("providers")
    if (!providers.ok) return { answer: providers }
    const type = typeOf(providers, id)
    if (type === undefined) return unknownProvider
    if (type === "webauthn" && !ceremony)
      throw new TypeError(`"${id}" is a passkey provider. Import \`signIn\` from the webauthn entry point instead.`)
    const isImmediate = type === "credentials" || type === "webauthn"
    const query = String(new URLSearchParams(params))
    const path = `${isImmediate ? "callback" : "signin"}/${encodeURIComponent(id)}${query && `?${query}`}`
    return { answer: await transport.post(path, { ...fields, callbackUrl: redirectTo }, csrf), isImmediate }
  }
}

function parseOptions(options: SignInOptions<boolean>, pageUrl: string) {
  const { redirect = true, redirectTo, callbackUrl, ...fields } = options
  return { redirect, redirectTo: redirectTo ?? callbackUrl ?? withoutError(pageUrl), fields }
}

const noAnswer: Answer = { ok: false, status: 0, body: undefined }
const unknownProvider: Attempt = { answer: { ...noAnswer, status: 404 }, isUnknown: true }

function typeOf({ body }: Answer, id: string): unknown {
  return fieldOf(fieldOf(body, id), "type")
}

type SignOutFunction = (options?: SignOutParams<boolean>) => Promise<SignOutResponse | undefined>

export function createSignOut<S>(transport: Transport, sync: Sync<S>): SignOutFunction {
  return async ({ redirect = true, redirectTo: given, callbackUrl, scope } = {}) => {
    const redirectTo = given ?? callbackUrl ?? transport.pageUrl()
    const answer = await sync.runExclusive(() => transport.post("signout", { callbackUrl: redirectTo, scope }))
    const { ok, target } = formResult(answer, redirectTo, transport.pageUrl())
    const url = String(target ?? `${transport.baseUrl()}/error`)
    const isSignedOut = ok && scope !== "others"
    if (!redirect) {
      if (isSignedOut) sync.commit(null, "signout")
      return { url, ok }
    }
    // Don't change this tab before it leaves: `useSession({ required: true })` would redirect to the sign-in page first.
    if (isSignedOut) sync.broadcast(null, "signout")
    transport.navigate(url)
    return undefined
  }
}

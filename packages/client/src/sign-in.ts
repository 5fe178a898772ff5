import type { Answer, Ceremony, SignInAuthorizationParams, SignInOptions, SignInResponse } from "./model.js"
import { fieldOf, verdictOf } from "./result.js"
import type { Sync } from "./sync.js"
import { returnTarget } from "./target.js"
import type { Wire } from "./wire.js"

type Fields = Readonly<Record<string, unknown>>

type SignInOverWire = (
  provider?: string,
  options?: SignInOptions<boolean>,
  params?: SignInAuthorizationParams,
  ceremony?: Ceremony,
) => Promise<SignInResponse | undefined>

export function signInOver<S>(wire: Wire, sync: Sync<S>): SignInOverWire {
  return async (provider, options = {}, params, ceremony) => {
    const { redirect = true, redirectTo, callbackUrl, ...fields } = options
    const wanted = redirectTo ?? callbackUrl ?? returnTarget(wire.here())
    const unknown = unknownTo(wire, wanted)
    let type: unknown

    async function attempt(id: string, shown?: Fields): Promise<Answer> {
      const csrf = wire.ask("csrf")
      const listed = await wire.ask("providers")
      if (!listed.ok) return listed
      type = typeOf(listed, id)
      if (type === undefined) return unknown
      if (type === "webauthn" && !shown) throw new TypeError(`"${id}" takes passkeys: use \`signIn\` of the webauthn entry`)
      return wire.post(pathFor(id, type, params), { ...fields, ...shown, callbackUrl: wanted }, csrf)
    }

    async function perform(id: string, show: Ceremony): Promise<Answer> {
      const listed = await wire.ask("providers")
      if (!listed.ok) return listed
      const proof = await show({ send: wire.send, provider: { id, type: typeOf(listed, id) }, fields })
      return "refusal" in proof ? proof.refusal : sync.inTurn(() => attempt(id, proof.shown))
    }

    const begin = (id: string) => (ceremony ? perform(id, ceremony) : sync.inTurn(() => attempt(id)))
    const answer = provider ? await begin(provider) : unknown
    const { target, ...response } = verdictOf(answer, wanted, wire.here())
    if (redirect || answer === unknown) wire.go(target ?? `${wire.base()}/error`)
    if (redirect) return undefined
    if (response.ok && isImmediate(type)) await sync.read({ anew: true })
    return response
  }
}

/** Who does not say how to sign in is asked on a page. */
function unknownTo(wire: Wire, callbackUrl: string): Answer {
  return { ok: false, status: 404, body: { url: `${wire.base()}/signin?${new URLSearchParams({ callbackUrl })}` } }
}

function typeOf({ body }: Answer, id: string): unknown {
  return fieldOf(fieldOf(body, id), "type")
}

function pathFor(id: string, type: unknown, params: SignInAuthorizationParams | undefined): string {
  const query = String(new URLSearchParams(params))
  return `${isImmediate(type) ? "callback" : "signin"}/${encodeURIComponent(id)}${query && `?${query}`}`
}

/** The answer to these forms is the session; the others lead elsewhere first. */
function isImmediate(type: unknown): boolean {
  return type === "credentials" || type === "webauthn"
}

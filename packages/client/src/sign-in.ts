import type { Answer, Ceremony, SignInAuthorizationParams, SignInOptions, SignInResponse } from "./model.js"
import { fieldOf, verdictOf } from "./result.js"
import type { Sync } from "./sync.js"
import { returnTarget } from "./target.js"
import type { Wire } from "./wire.js"

type SignInOverWire = (
  provider?: string,
  options?: SignInOptions<boolean>,
  params?: SignInAuthorizationParams,
  ceremony?: Ceremony,
) => Promise<SignInResponse | undefined>

interface Form {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly wanted: string
  readonly params: SignInAuthorizationParams | undefined
  readonly ceremony: Ceremony | undefined
}

interface Attempt {
  readonly answer: Answer
  /** The answer is the session; other forms lead elsewhere first. */
  readonly isImmediate?: boolean
  /** Who names no provider, or one that is not there, is asked on a page. */
  readonly isUnknown?: boolean
}

export function signInOver<S>(wire: Wire, sync: Sync<S>): SignInOverWire {
  return async (id = "", options = {}, params, ceremony) => {
    const { redirect, wanted, fields } = readOptions(options, wire.here())
    const { answer, isImmediate, isUnknown } = await attempt({ id, fields, wanted, params, ceremony })
    const { target, ...response } = verdictOf(answer, wanted, wire.here())
    if (isUnknown) wire.go(`${wire.base()}/signin?${new URLSearchParams({ callbackUrl: wanted })}`)
    else if (redirect) wire.go(target ?? `${wire.base()}/error`)
    if (redirect) return undefined
    if (response.ok && isImmediate) await sync.read({ anew: true })
    return response
  }

  async function attempt(form: Form): Promise<Attempt> {
    const { id, fields, ceremony } = form
    if (!id) return unknown
    if (!ceremony) return sync.inTurn(() => submit(form))
    const listed = await wire.ask("providers")
    if (!listed.ok) return { answer: listed }
    const proof = await ceremony({ send: wire.send, provider: { id, type: typeOf(listed, id) }, fields })
    if ("refusal" in proof) return { answer: proof.refusal }
    return sync.inTurn(() => submit({ ...form, fields: { ...fields, ...proof.shown } }))
  }

  async function submit({ id, fields, wanted, params, ceremony }: Form): Promise<Attempt> {
    const csrf = wire.ask("csrf")
    const listed = await wire.ask("providers")
    if (!listed.ok) return { answer: listed }
    const type = typeOf(listed, id)
    if (type === undefined) return unknown
    if (type === "webauthn" && !ceremony)
      throw new TypeError(`"${id}" takes passkeys: use \`signIn\` of the webauthn entry`)
    const isImmediate = type === "credentials" || type === "webauthn"
    const query = String(new URLSearchParams(params))
    const path = `${isImmediate ? "callback" : "signin"}/${encodeURIComponent(id)}${query && `?${query}`}`
    return { answer: await wire.post(path, { ...fields, callbackUrl: wanted }, csrf), isImmediate }
  }
}

const unknown: Attempt = { answer: { ok: false, status: 404, body: undefined }, isUnknown: true }

function readOptions({ redirect = true, redirectTo, callbackUrl, ...fields }: SignInOptions<boolean>, here: string) {
  return { redirect, wanted: redirectTo ?? callbackUrl ?? returnTarget(here), fields }
}

function typeOf({ body }: Answer, id: string): unknown {
  return fieldOf(fieldOf(body, id), "type")
}

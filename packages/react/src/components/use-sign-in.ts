import { createFlow, type Flow } from "@latchkey/client/flow"
import type { MethodsStep, SignInMethod } from "@latchkey/core/types"
import { useReducer, useRef } from "react"
import { currentClient } from "../current-client.js"
import type { Data, Fields, MethodForm, SignInState } from "./sign-in-context.js"
import type { SignInProps } from "./sign-in-props.js"
import { useAutofill } from "./use-autofill.js"
import { useLatest } from "./use-latest.js"
import { loadMethods, useMethods } from "./use-methods.js"
import { factorKey, type Outcome, start, useSteps } from "./use-steps.js"

function initialData({ initial }: SignInProps): Data {
  const asked = initial?.status === "factor" ? initial : undefined
  const problem = initial?.error && { ...(asked && { key: factorKey }), error: initial.error }
  const [loaded, sent, chosen, pending, refusal] = [undefined, undefined, undefined, undefined, undefined]
  return { loaded, sent, asked, resent: 0, chosen, pending, problem, refusal }
}

const merge = (data: Data, change: Partial<Data>): Data => ({ ...data, ...change })

/** The state of the sign-in, and what the user can do. */
export function useSignIn(props: SignInProps): SignInState {
  const latest = useLatest(props)
  const made = useRef<Flow>(undefined)
  // The client of the page's session is known after the first render.
  const flow = () => (made.current ??= createFlow(currentClient()))
  const [data, change] = useReducer(merge, props, initialData)
  const { run, proceed } = useSteps(latest, flow, change)
  const reload = useMethods(latest, flow, change)
  const known = knownMethods(props, data)
  const methods = offered(known?.methods ?? [], props.methods)
  const redirectTo = props.redirectTo ?? known?.callbackUrl
  const { sent, asked, resent, refusal } = data
  useAutofill({ methods, isPaused: asked !== undefined, redirectTo, flow, refusal, proceed })

  return {
    ...data,
    step: asked ?? sent ?? known,
    methods,
    csrfToken: props.csrfToken ?? known?.csrfToken,
    callbackUrl: redirectTo,
    identifier: useRef(""),
    choose: (key) => change({ chosen: key, problem: undefined }),
    press: (method) => run(method.id, async () => press(flow(), method, redirectTo)),
    submit: (form, fields) => run(form.key, async () => submit(flow(), form, { fields, redirectTo })),
    sendCode: (code) => run("code", async () => flow().code(code, { provider: sent?.provider, redirectTo })),
    resend() {
      if (sent === undefined) return
      run("resend", async () => {
        const outcome = await flow().email(sent.email, { provider: sent.provider, redirectTo })
        if (outcome.status === "email-sent") change({ resent: resent + 1 })
        return outcome
      })
    },
    answerFactor: (fields) => run(factorKey, async () => flow().answerFactor(fields)),
    factorPasskey: (step) => run(factorKey, async () => flow().factorPasskey(step)),
    restart() {
      change({ ...start, problem: undefined })
      if (known === undefined) void loadMethods(latest.current, flow()).then(change)
    },
    reload,
  }
}

function knownMethods({ initial }: SignInProps, { loaded }: Data): MethodsStep | undefined {
  return initial?.status === "methods" ? initial : loaded
}

/** The methods that the application wants to offer, in its order. */
function offered(methods: readonly SignInMethod[], wanted: readonly string[] | undefined): readonly SignInMethod[] {
  const usable = methods.filter(isUsable)
  if (wanted === undefined) return usable
  const chosen = wanted.flatMap((name) => usable.filter(({ id, type }) => id === name || type === name))
  return [...new Set(chosen)]
}

/** A credentials provider without fields is for a form of the application. */
function isUsable({ type, fields }: SignInMethod): boolean {
  return type !== "credentials" || fields.length > 0
}

type Target = string | undefined

async function press(flow: Flow, { id: provider, type }: SignInMethod, redirectTo: Target): Promise<Outcome> {
  return type === "webauthn" ? flow.passkey({ provider, redirectTo }) : flow.oauth(provider, { redirectTo })
}

interface Sent {
  readonly fields: Fields
  readonly redirectTo: Target
}

async function submit(flow: Flow, { method }: MethodForm, { fields, redirectTo }: Sent): Promise<Outcome> {
  const options = { provider: method.id, redirectTo }
  if (method.type === "email") return flow.email(fields["email"] ?? "", options)
  return method.type === "webauthn" ? flow.createPasskey(fields, options) : flow.password(fields, options)
}

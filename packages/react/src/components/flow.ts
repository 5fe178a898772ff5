import { signIn as signInWithPasskey } from "@latchkey/client/webauthn"
import type {
  EmailSentStep,
  ErrorStep,
  FlowError,
  FlowResult,
  MethodsStep,
  RedirectStep,
  SignedInStep,
} from "@latchkey/core/types"
import { clientOptions } from "../config.js"
import { currentClient } from "../current-client.js"

export interface StepOptions {
  /** ID of the provider. */
  readonly provider: string
  readonly redirectTo: string | undefined
}

export interface PasskeyStepOptions extends StepOptions {
  /** Offer passkeys in the browser's autofill. */
  readonly autofill?: boolean
  readonly signal?: AbortSignal
}

type Fields = Readonly<Record<string, string | undefined>>
type Entry = SignedInStep | RedirectStep | ErrorStep

/** The texts of errors that the server doesn't know. */
export interface FlowTexts {
  readonly noAnswer: string
  readonly passkeyFailed: string
}

/** The steps of a sign-in, as the server answers them. They don't throw: a failure is a step too. */
export interface Flow {
  methods(query: Fields): Promise<MethodsStep | ErrorStep>
  /** The message for an error in the URL of the page. */
  error(query: Fields): Promise<FlowError | undefined>
  oauth(options: StepOptions): Promise<Entry>
  password(fields: Fields, options: StepOptions): Promise<Entry>
  email(email: string, options: StepOptions): Promise<EmailSentStep | RedirectStep | ErrorStep>
  /** @param url where the last email says to send it */
  code(code: string, url: string): Promise<Entry>
  passkey(options: PasskeyStepOptions): Promise<Entry>
  createPasskey(fields: Fields, options: StepOptions): Promise<Entry>
}

interface JsonRequest extends Pick<RequestInit, "body" | "method"> {
  readonly headers?: Readonly<Record<string, string>>
}

export function createFlow(texts: () => FlowTexts): Flow {
  async function send<Step extends FlowResult>(url: string, init: JsonRequest = {}): Promise<Step | ErrorStep> {
    const { baseUrl } = clientOptions()
    const headers = { accept: "application/json", ...init.headers }
    const credentials = baseUrl === undefined ? "same-origin" : "include"
    try {
      const body: unknown = await (await fetch(url, { ...init, headers, credentials })).json()
      // The server of the same version wrote it.
      if (isStep(body)) return body as Step
    } catch {
      // The server didn't respond, or not with JSON.
    }
    return failure("ClientFetchError", texts().noAnswer)
  }

  async function post<Step extends FlowResult>(url: string, fields: Fields): Promise<Step | ErrorStep> {
    const csrfToken = await currentClient().getCsrfToken()
    const body = JSON.stringify({ ...fields, csrfToken })
    const step = await send<Step>(url, { method: "POST", body, headers: { "content-type": "application/json" } })
    if (step.status === "signed-in") await currentClient().update()
    return step
  }

  async function ceremony(
    action: "authenticate" | "register",
    fields: Fields,
    options: PasskeyStepOptions,
  ): Promise<Entry> {
    const { provider, redirectTo, autofill = false, signal } = options
    const all = { ...fields, action, redirectTo, useBrowserAutofill: autofill, signal, redirect: false } as const
    try {
      const { ok, url, error = "" } = await signInWithPasskey(currentClient(), provider, all)
      if (ok && url !== null) return { status: "signed-in", url }
      const known = await flow.error({ error })
      return { status: "error", error: known ?? { code: error, message: texts().passkeyFailed }, url: "" }
    } catch (error) {
      return failure(error instanceof Error ? error.name : "AbortError", texts().passkeyFailed)
    }
  }

  const flow: Flow = {
    methods: async (query) => send(route("signin", query)),
    async error(query) {
      const step = await send<MethodsStep>(route("signin", query))
      return step.status === "methods" ? step.error : undefined
    },
    oauth: async ({ provider, redirectTo }) => post(route(`signin/${provider}`), { callbackUrl: redirectTo }),
    password: async (fields, { provider, redirectTo }) =>
      post(route(`callback/${provider}`), { ...fields, callbackUrl: redirectTo }),
    email: async (email, { provider, redirectTo }) =>
      post(route(`signin/${provider}`), { email, callbackUrl: redirectTo }),
    code: async (code, url) => post(url, { code }),
    passkey: async (options) => ceremony("authenticate", {}, options),
    createPasskey: async (fields, options) => ceremony("register", fields, options),
  }
  return flow
}

function route(path: string, query: Fields = {}): string {
  const { baseUrl = "", basePath } = clientOptions()
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`
  return `${baseUrl}${basePath}/${path}${search}`
}

function failure(code: string, message: string): ErrorStep {
  return { status: "error", error: { code, message }, url: "" }
}

function isStep(body: unknown): body is { readonly status: string } {
  return typeof body === "object" && body !== null && "status" in body && typeof body.status === "string"
}

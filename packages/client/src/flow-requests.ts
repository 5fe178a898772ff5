import type { FlowResult, ProviderType } from "@latchkey/core/types"
import type { FlowFields, StepOptions } from "./flow-model.js"
import { type Status, type StepOf, stepIn } from "./flow-step.js"
import type { AuthClient } from "./model.js"
import { formBody, isBrowser } from "./transport.js"

/** What a flow needs of a client. */
export type FlowClient = Pick<AuthClient, "connection" | "getCsrfToken" | "getProviders">

/** Sends steps. Its functions don't throw. */
export interface Requests {
  get<S extends Status = never>(path: string, fields: object, expected?: readonly S[]): Promise<StepOf<S>>
  post<S extends Status>(path: string, fields: object, expected: readonly S[]): Promise<StepOf<S>>
  /** The path segment of the provider that a step is for. */
  providerFor(type: ProviderType, options: StepOptions): Promise<string>
}

const headers = { Accept: "application/json" } as const

export function requestsOf({ connection, getCsrfToken, getProviders }: FlowClient): Requests {
  const { send, runExclusive, read } = connection
  return {
    get: async (path, fields, expected = []) =>
      stepIn(await send(`${path}?${formBody({ ...fields })}`, { headers }), expected),
    async post(path, fields, expected) {
      const step = await runExclusive(async () => {
        const body = formBody({ ...fields, csrfToken: await getCsrfToken() })
        return stepIn(await send(path, { method: "POST", body, headers }), expected)
      })
      if (changesSession(step)) await read()
      return step
    },
    async providerFor(type, { provider }) {
      const found = provider ?? Object.values((await getProviders()) ?? {}).find((each) => each.type === type)?.id
      // Without one, the server says that there's no such provider.
      return encodeURIComponent(found ?? type)
    },
  }
}

function changesSession({ status }: FlowResult): boolean {
  return status === "signed-in" || status === "signed-out"
}

/** Without files. */
export function valuesOf(fields: FlowFields): Readonly<Record<string, unknown>> {
  if (!(fields instanceof FormData)) return fields
  return Object.fromEntries([...fields].filter(([, value]) => typeof value === "string"))
}

/** A parameter in the URL of a sign-in page. */
export function paramOf(name: string): string | undefined {
  return (isBrowser() ? new URLSearchParams(location.search).get(name) : null) ?? undefined
}

export function targetOf({ redirectTo }: StepOptions): string | undefined {
  return redirectTo ?? paramOf("callbackUrl")
}

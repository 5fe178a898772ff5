import type { AuthConfig, FlowResult } from "@latchkey/core/types"
import { type Browser, visit } from "@latchkey/testing"

/** What a script of a custom page gets. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly result: FlowResult
}

type Fields = Readonly<Record<string, unknown>>

export interface Headless {
  readonly browser: Browser
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Sends fields as JSON, with the CSRF token of this browser unless `fields` has one. */
  post(path: string, fields?: Fields, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export const json = { accept: "application/json" } as const

/** A browser whose page sends every step by script. */
export async function headless(config: AuthConfig, options?: Parameters<typeof visit>[1]): Promise<Headless> {
  return headlessIn(await visit(config, options))
}

export function headlessIn(browser: Browser): Headless {
  return {
    browser,
    get: async (path, headers = {}) => answerOf(await browser.fetch(path, { headers: { ...json, ...headers } })),
    async post(path, fields = {}, headers = {}) {
      const body = JSON.stringify({ csrfToken: await browser.csrf(), ...fields })
      const type = { "content-type": "application/json" }
      return answerOf(await browser.fetch(path, { method: "POST", body, headers: { ...json, ...type, ...headers } }))
    },
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const result: FlowResult = await response.json()
  return { status: response.status, headers: response.headers, result }
}

type StepOf<Status extends FlowResult["status"]> = Extract<FlowResult, { readonly status: Status }>

/** The result, which must have this status. */
export function stepOf<Status extends FlowResult["status"]>({ result }: Answer, status: Status): StepOf<Status> {
  if (result.status === status) return result as StepOf<Status>
  throw new Error(`The step is ${JSON.stringify(result)}, not "${status}".`)
}

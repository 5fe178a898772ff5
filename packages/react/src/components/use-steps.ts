import type { Flow } from "@latchkey/client/flow"
import type { EmailSentStep, ErrorStep, FactorStep, RedirectStep, SignedInStep } from "@latchkey/core/types"
import { type RefObject, useEffect, useRef } from "react"
import { postForm } from "./post-form.js"
import type { Data } from "./sign-in-context.js"
import type { SignInProps } from "./sign-in-props.js"

/** How the server answers a step. */
export type Outcome = SignedInStep | RedirectStep | EmailSentStep | FactorStep | ErrorStep

/** The key of the form that answers a factor. */
export const factorKey = "factor"

/** The methods are shown. */
export const start: Partial<Data> = { asked: undefined, sent: undefined, resent: 0 }

export interface Steps {
  /** Runs one step at a time. */
  run(key: string, step: () => Promise<Outcome>): void
  /** Shows the next step, or opens the next page. */
  proceed(outcome: Outcome, key: string): void
}

export function useSteps(
  props: RefObject<SignInProps>,
  flow: () => Flow,
  change: (data: Partial<Data>) => void,
): Steps {
  const isBusy = useRef(false)

  function ready(data: Partial<Data> = {}): void {
    isBusy.current = false
    change({ pending: undefined, ...data })
  }

  useEffect(() => {
    // A page from the back/forward cache still waits for the step that left it.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) ready()
    }
    addEventListener("pageshow", onShow)
    return () => removeEventListener("pageshow", onShow)
    // `ready` does the same in each render.
  }, [])

  function proceed(outcome: Outcome, key: string): void {
    switch (outcome.status) {
      case "error":
        return ready({ problem: { key, error: outcome.error }, refusal: outcome, ...(isOver(outcome, key) && start) })
      case "email-sent":
        return ready({ sent: outcome })
      case "factor":
        return ready({ asked: outcome, problem: outcome.error && { key: factorKey, error: outcome.error } })
      // While the next page loads, this one still waits.
      case "redirect":
        return outcome.form === undefined ? flow().follow(outcome) : postForm(outcome.url, outcome.form)
      case "signed-in":
        return finish(outcome)
    }
  }

  function finish(outcome: SignedInStep): void {
    const { onSuccess } = props.current
    if (onSuccess === undefined) return flow().follow(outcome)
    ready()
    onSuccess(outcome.url)
  }

  return {
    proceed,
    run(key, step) {
      if (isBusy.current) return
      isBusy.current = true
      change({ pending: key, problem: undefined })
      void step().then((outcome) => proceed(outcome, key))
    },
  }
}

/** The answer can be sent again. The browser has the last five for a passkey (WebAuthn Level 3 §5.1.4). */
const passing: ReadonlySet<string> = new Set([
  "ClientFetchError",
  "Configuration",
  "RateLimited",
  "AbortError",
  "NotAllowedError",
  "NotSupportedError",
  "SecurityError",
  "UnknownError",
])

/** The sign-in doesn't wait for its factor anymore, so the user starts again. */
function isOver({ error }: ErrorStep, key: string): boolean {
  return key === factorKey && !passing.has(error.code)
}

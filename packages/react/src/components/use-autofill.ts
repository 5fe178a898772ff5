import type { Flow } from "@latchkey/client/flow"
import type { SignInMethod } from "@latchkey/core/types"
import { useEffect } from "react"
import { useLatest } from "./use-latest.js"
import type { Outcome } from "./use-steps.js"

interface Autofill {
  readonly methods: readonly SignInMethod[]
  /** The page doesn't show the methods. */
  readonly isPaused: boolean
  readonly redirectTo: string | undefined
  readonly flow: () => Flow
  /** The last refusal. A passkey button ends the autofill, so it starts again after one. */
  readonly refusal: unknown
  readonly proceed: (outcome: Outcome, key: string) => void
}

/** Offers passkeys in the browser's autofill until the user selects one or the component unmounts. */
export function useAutofill({ methods, isPaused, flow, refusal, ...others }: Autofill): void {
  const latest = useLatest(others)
  const provider = methods.find((method) => method.type === "webauthn" && method.autofill)?.id
  useEffect(() => {
    if (provider === undefined || isPaused) return undefined
    const { redirectTo } = latest.current
    const abort = new AbortController()
    void flow()
      .passkey({ provider, redirectTo, autofill: true, signal: abort.signal })
      .then((outcome) => {
        // The user asked for nothing, so a failure isn't shown.
        if (!abort.signal.aborted && outcome.status !== "error") latest.current.proceed(outcome, provider)
      })
    return () => abort.abort()
    // The others stay the same.
  }, [provider, isPaused, refusal])
}

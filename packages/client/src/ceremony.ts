import { fieldOf } from "./result.js"

let pending: AbortController | undefined

/** A browser allows one pending request for a passkey. @returns the signal for the next one */
export function replacePending(outer: AbortSignal | undefined): AbortSignal {
  pending?.abort()
  const next = new AbortController()
  const abort = () => next.abort(outer?.reason)
  if (outer?.aborted) abort()
  outer?.addEventListener("abort", abort, { once: true })
  pending = next
  return next.signal
}

/** After these errors, the server has stored nothing. */
export const refusals: ReadonlySet<string | undefined> = new Set([
  "AccessDenied",
  "AccountNotLinked",
  "WebAuthnVerificationError",
])

/** Deletes a passkey that the server didn't store, where the browser supports that (WebAuthn Level 3 §5.1.10). */
export function forgetPasskey(options: object, data: string): void {
  const { id: credentialId }: { readonly id: string } = JSON.parse(data)
  const rpId = fieldOf(fieldOf(options, "rp"), "id")
  if (typeof rpId !== "string") return
  // Older browsers don't have the method.
  PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId }).catch(() => {})
}

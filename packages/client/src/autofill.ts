import { runCeremony, supportsPasskeys } from "./credential.js"

/** Milliseconds. The server accepts a challenge for 15 minutes, so a pending request gets a new one before that. */
const lifetime = 600_000

/** Whether this browser can offer passkeys in the autofill of a field. */
export async function supportsAutofill(): Promise<boolean> {
  return supportsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
}

/**
 * Offers passkeys in the browser's autofill until the user selects one or `signal` aborts.
 *
 * @param getOptions requests options from the server, or throws
 * @returns the credential as JSON text
 */
export async function offerAutofill(getOptions: () => Promise<object>, signal: AbortSignal): Promise<string> {
  for (;;) {
    const options = await getOptions()
    signal.throwIfAborted()
    const round = new AbortController()
    const end = () => round.abort(signal.reason)
    const timer = setTimeout(() => whenVisible(end), lifetime)
    signal.addEventListener("abort", end)
    try {
      return await runCeremony("authenticate", options, { mediation: "conditional", signal: round.signal })
    } catch (error) {
      const isRenewed = round.signal.aborted && !signal.aborted
      if (!isRenewed) throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
    }
  }
}

/** Tabs in the background send no requests. */
function whenVisible(act: () => void): void {
  if (document.hidden) document.addEventListener("visibilitychange", act, { once: true })
  else act()
}

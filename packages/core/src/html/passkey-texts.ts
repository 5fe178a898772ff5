import type { Messages } from "../i18n/messages.js"

/**
 * What the script of a passkey form shows: text by the name of a DOMException (WebAuthn Level 3 §5.1.3, §5.1.4) or by the
 * HTTP status of the server. A key with the action takes precedence.
 */
export function passkeyTexts({ passkey }: Messages): Readonly<Record<string, string>> {
  return {
    waiting: passkey.waiting,
    unsupported: passkey.unsupported,
    failed: passkey.failed,
    NotAllowedError: passkey.notAllowed,
    "NotAllowedError register": passkey.notCreated,
    InvalidStateError: passkey.exists,
    ConstraintError: passkey.unsuitable,
    NotSupportedError: passkey.unsuitable,
    400: passkey.rejected,
    429: passkey.rateLimited,
  }
}

/**
 * A JWS or JWE anywhere in a text: three or more base64url parts. The search only starts where a word starts. Starting at
 * every character would take quadratic time.
 */
const sealedText = /(?<![\w-])[\w-]{16,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+)*/g

/** The password of a URL, such as that of a database. */
const urlPassword = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/?#@]{0,200}):[^\s/?#@]{1,500}@/gi

/** A secret among the parameters of a URL or a form. */
const secretParameter =
  /\b((?:client_secret|access_token|refresh_token|id_token|code_verifier|client_assertion|password|api_?key)|(?<=[?&])(?:code|token|state))=(?!\[redacted])[^&\s"'<>]+/gi

/** The same in JSON, also in JSON inside of a JSON string. */
const secretProperty =
  /(\b(?:client_?secret|access_?token|refresh_?token|id_?token|session_?token|code_?verifier|password|api_?key)(?:\\{0,4}")\s{0,4}:\s{0,4}(?:\\{0,4}"))(?!\[redacted])[^"\\]{1,4096}/gi

const bearer = /\b(bearer|basic) +[\w.~+/=-]{8,}/gi

/** Control characters except line feed and tab, other line separators, and marks that change the writing direction. */
const unprintable = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Removes what looks like a secret, for values that no request is known to contain. */
export function withoutLookalikes(text: string): string {
  return text
    .replace(sealedText, "[redacted]")
    .replace(urlPassword, "$1:[redacted]@")
    .replace(secretParameter, "$1=[redacted]")
    .replace(secretProperty, "$1[redacted]")
    .replace(bearer, "$1 [redacted]")
}

/** Escapes control characters, which could forge log lines or control a terminal. */
export function printable(text: string): string {
  return text.replace(unprintable, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
}

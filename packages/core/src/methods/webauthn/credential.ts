import { textOf } from "../../http/auth-request.js"
import { maxClientData, maxPasskeyResponse } from "../../limits/of-input.js"
import type { AuthRequest } from "../../model/http.js"
import { decodeBase64, isCredentialId } from "./encoding.js"

/** What the browser sent (`PublicKeyCredential.toJSON()`). Only these members have been checked, and only their types. */
export interface Credential {
  /** Base64url. */
  readonly id: string
  readonly response: Readonly<Record<string, unknown>>
}

export interface PostedCredential {
  readonly credential: Credential
  /** WebAuthn Level 3 §5.8.1. */
  readonly clientData: Readonly<Record<string, unknown>>
}

export function readCredential({ body }: AuthRequest): PostedCredential | undefined {
  try {
    const text = String(body["data"])
    if (text.length > maxPasskeyResponse) return undefined
    const data: unknown = JSON.parse(text)
    if (!isRecord(data) || !isCredentialId(data["id"]) || !isRecord(data["response"])) return undefined
    const { id, response } = data
    const encoded = String(response["clientDataJSON"])
    if (encoded.length > maxClientData) return undefined
    const clientData: unknown = JSON.parse(decodeText(encoded))
    return isRecord(clientData) ? { credential: { ...data, id, response }, clientData } : undefined
  } catch {
    return undefined
  }
}

/** The challenge that the posted credential answers. */
export function answeredChallenge(request: AuthRequest): string | undefined {
  return textOf(readCredential(request)?.clientData["challenge"])
}

function decodeText(base64url: string): string {
  return new TextDecoder().decode(decodeBase64(base64url))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

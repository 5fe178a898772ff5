import { sha256 } from "../../crypto/digest.js"
import { idText } from "../../session/live-session.js"

/** Names a user in a challenge, and in an authenticator as the user handle (WebAuthn Level 3 §14.6.1). */
export async function ownerDigest(userId: string): Promise<string> {
  return sha256(`webauthn user ${idText(userId)}`)
}

import { WebAuthnVerificationError } from "../../errors.js"
import { textOf } from "../../http/auth-request.js"
import type { Asked, Assertions } from "../../model/assertions.js"
import type { AuthContext } from "../../model/auth.js"
import type { Asserted } from "../../module-kit/passkeys.js"
import { mutexOf } from "../../primitives/state.js"
import { verifiedUse } from "./authentication.js"
import { decodeText, readCredential } from "./ceremony.js"
import { toBase64 } from "./encoding.js"
import { libraryOf } from "./library.js"
import { type OwnPasskey, passkeysOf } from "./own-passkeys.js"
import { ownerDigest, siteOf } from "./relying-party.js"
import { adapterOf, describe, descriptorOf, writeUse } from "./stored-passkeys.js"

/** The user is known, so only their passkeys are asked for and accepted. */
export const assertions: Assertions<AuthContext> = {
  async of(owner) {
    const own = await passkeysOf(owner)
    return own.map(({ authenticator: { credentialID: id, details } }) => ({ id, name: details?.name ?? undefined }))
  },

  async ask(asked, challenge) {
    const { auth, request } = asked
    const own = await ownAmong(asked)
    const [first] = own
    if (first === undefined) return null
    const { config } = first.provider
    const siteId = ({ provider }: OwnPasskey) => siteOf(auth, provider, request).id
    // Passkeys of another site can't answer in the same ceremony.
    const usable = own.filter((each) => siteId(each) === siteId(first))
    const library = await libraryOf(auth, first.provider)
    const options = await library.generateAuthenticationOptions({
      ...config.authenticationOptions,
      // A security key without a PIN will do. Without asking, one would not find a passkey that it protects with its PIN.
      userVerification: "preferred",
      challenge: new TextEncoder().encode(challenge),
      rpID: siteId(first),
      allowCredentials: usable.map(({ authenticator }) => descriptorOf(authenticator)),
    })
    return { ...options }
  },

  async verify(asked, answer, useChallenge) {
    const posted = readCredential({ body: { data: answer } })
    const challenge = textOf(posted?.clientData["challenge"])
    if (posted === undefined || challenge === undefined || !(await useChallenge(textIn(challenge)))) {
      throw new WebAuthnVerificationError("The challenge was made for something else, or was used, or is too old")
    }
    const id = toBase64(posted.credential.id)
    const own = (await ownAmong(asked)).find(({ authenticator }) => authenticator.credentialID === id)
    if (own === undefined) throw new WebAuthnVerificationError("The passkey isn't one of those that were asked for")
    const { auth, request, user } = asked
    const attempt = { challenge, listed: await ownerDigest(user.id) }
    return use(asked, await verifiedUse({ auth, provider: own.provider, request, attempt, ...posted }, own, false))
  },
}

async function ownAmong(asked: Asked<AuthContext>): Promise<readonly OwnPasskey[]> {
  const own = await passkeysOf(asked)
  return own.filter(({ authenticator }) => asked.among?.includes(authenticator.credentialID) ?? true)
}

function textIn(base64url: string): string {
  try {
    return decodeText(base64url)
  } catch {
    return ""
  }
}

async function use({ auth }: Asked<AuthContext>, passkey: Awaited<ReturnType<typeof verifiedUse>>): Promise<Asserted> {
  const { credentialID: id } = passkey.authenticator
  await mutexOf(auth).runExclusive(`passkey ${id}`, async () => {
    await writeUse(adapterOf(auth), passkey)
    await describe(auth, passkey)
  })
  return { id, amr: passkey.isUserVerified ? "hwk" : "pop" }
}

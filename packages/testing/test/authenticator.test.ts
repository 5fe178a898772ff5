import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server"
import { afterEach, describe, expect, test } from "vitest"
import {
  type Authenticator,
  authenticatorFaults,
  type AuthenticatorFaultName,
  type AuthenticatorOptions,
  createAuthenticator,
} from "../src/index.js"

const origin = "https://app.test"
const rpID = "app.test"
const expected = { expectedOrigin: origin, expectedRPID: rpID }

async function creationOptions(
  changes: Partial<Parameters<typeof generateRegistrationOptions>[0]> = {},
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const authenticatorSelection = { residentKey: "required", userVerification: "required" } as const
  return await generateRegistrationOptions({ rpName: "App", rpID, userName: "ada", authenticatorSelection, ...changes })
}

/** Registers and returns what a server stores. */
async function register(authenticator: Authenticator): Promise<WebAuthnCredential> {
  const options = await creationOptions()
  const response = await authenticator.create(options)
  const result = await verifyRegistrationResponse({ response, expectedChallenge: options.challenge, ...expected })
  if (!result.verified) throw new Error("The registration isn't valid.")
  return result.registrationInfo.credential
}

async function registered(authenticator: Authenticator): Promise<{ readonly verified: true }> {
  await register(authenticator)
  return { verified: true }
}

type Verified = Awaited<ReturnType<typeof verifyAuthenticationResponse>>

async function authenticate(authenticator: Authenticator, credential: WebAuthnCredential): Promise<Verified> {
  const options = await generateAuthenticationOptions({ rpID })
  const response = await authenticator.get(options)
  return await verifyAuthenticationResponse({
    response,
    expectedChallenge: options.challenge,
    credential,
    ...expected,
  })
}

/** `undefined` if the server accepts; otherwise why it doesn't. */
async function rejection(action: Promise<{ readonly verified: boolean }>): Promise<string | undefined> {
  try {
    return (await action).verified ? undefined : "not verified"
  } catch (error) {
    return String(error)
  }
}

describe("an authenticator", () => {
  test.each<AuthenticatorOptions>([
    {},
    { algorithm: "EdDSA" },
    { algorithm: "RS256" },
    { attestation: "self" },
    { attestation: "self", algorithm: "EdDSA" },
    { attestation: "self", algorithm: "RS256" },
    { attestation: "certificate" },
    { counter: false, backup: "done" },
  ])("creates credentials that SimpleWebAuthn accepts (%o)", async (options) => {
    const authenticator = createAuthenticator(options)
    const credential = await register(authenticator)
    const { verified, authenticationInfo } = await authenticate(authenticator, credential)
    expect(verified).toBe(true)
    expect(authenticationInfo.newCounter).toBe(options.counter === false ? 0 : 2)
    expect(await authenticate(authenticator, { ...credential, counter: authenticationInfo.newCounter })).toMatchObject({
      verified: true,
    })
  })

  test.each([
    [undefined, "singleDevice", false],
    ["eligible", "multiDevice", false],
    ["done", "multiDevice", true],
  ] as const)("with backup %s sends the flags for it", async (backup, credentialDeviceType, credentialBackedUp) => {
    const authenticator = createAuthenticator({ ...(backup && { backup }), userVerification: false })
    const options = await creationOptions({ authenticatorSelection: { residentKey: "required" } })
    const response = await authenticator.create(options)
    expect(
      await verifyRegistrationResponse({
        response,
        expectedChallenge: options.challenge,
        requireUserVerification: false,
        ...expected,
      }),
    ).toMatchObject({ registrationInfo: { credentialDeviceType, credentialBackedUp, userVerified: false } })
  })

  test("sends the user handle of a discoverable credential", async () => {
    const authenticator = createAuthenticator()
    const options = await creationOptions()
    await authenticator.create(options)
    const { response } = await authenticator.get({ challenge: "AAAA", rpId: rpID })
    expect(response.userHandle).toBe(options.user.id)
    expect(authenticator.credentials).toEqual([
      {
        id: expect.any(String),
        rpId: rpID,
        userId: options.user.id,
        userName: "ada",
        resident: true,
        counter: 2,
      },
    ])
  })

  test("finds a credential that isn't discoverable only by its ID", async () => {
    const authenticator = createAuthenticator({ residentKeys: false })
    const { id } = await authenticator.create(
      await creationOptions({ authenticatorSelection: { residentKey: "preferred" } }),
    )
    await expect(authenticator.get({ challenge: "AAAA", rpId: rpID })).rejects.toMatchObject({
      name: "NotAllowedError",
    })
    const answer = await authenticator.get({ challenge: "AAAA", rpId: rpID, allowCredentials: [{ id }] })
    expect(answer.id).toBe(id)
    expect(answer.response).not.toHaveProperty("userHandle")
  })

  test("uses the newest credential, or the one that the user chooses", async () => {
    const authenticator = createAuthenticator()
    const [first, second] = [
      await authenticator.create(await creationOptions({ userName: "ada" })),
      await authenticator.create(await creationOptions({ userName: "grace" })),
    ]
    const request = { challenge: "AAAA", rpId: rpID }
    expect((await authenticator.get(request)).id).toBe(second.id)
    expect((await authenticator.get(request, { credential: first.id })).id).toBe(first.id)
  })

  test("replaces the discoverable credential of the same user", async () => {
    const authenticator = createAuthenticator()
    const userID = new Uint8Array(32)
    await authenticator.create(await creationOptions({ userID }))
    const { id } = await authenticator.create(await creationOptions({ userID }))
    expect(authenticator.credentials.map((credential) => credential.id)).toEqual([id])
  })

  test("rejects options as a browser does", async () => {
    const authenticator = createAuthenticator()
    const known = await authenticator.create(await creationOptions())
    const weak = createAuthenticator({ residentKeys: false, userVerification: false })
    const request = { challenge: "AAAA", rpId: rpID }
    await expect(authenticator.get({ ...request, rpId: "other.test" })).rejects.toMatchObject({ name: "SecurityError" })
    await expect(authenticator.get(request, { origin: "http://app.test" })).rejects.toMatchObject({
      name: "SecurityError",
    })
    await expect(authenticator.get({ ...request, allowCredentials: [{ id: "AAAA" }] })).rejects.toMatchObject({
      name: "NotAllowedError",
    })
    await expect(weak.get({ ...request, userVerification: "required" })).rejects.toMatchObject({
      name: "NotAllowedError",
    })
    await expect(weak.create(await creationOptions())).rejects.toMatchObject({ name: "NotAllowedError" })
    await expect(
      authenticator.create(await creationOptions({ excludeCredentials: [{ id: known.id }] })),
    ).rejects.toMatchObject({ name: "InvalidStateError" })
    await expect(authenticator.create(await creationOptions({ supportedAlgorithmIDs: [-257] }))).rejects.toMatchObject({
      name: "NotAllowedError",
    })
  })

  test("accepts the RP ID of a related origin, a parent domain and localhost", async () => {
    const related = createAuthenticator({ origin: "https://app.example", relatedRpIds: [rpID] })
    await related.create(await creationOptions())
    const sub = createAuthenticator({ origin: "https://login.app.test" })
    await sub.create(await creationOptions())
    const local = createAuthenticator({ origin: "http://localhost:3000" })
    await local.create(await creationOptions({ rpID: "localhost" }))
    expect([related, sub, local].map(({ credentials }) => credentials.length)).toEqual([1, 1, 1])
  })

  test("can be cloned with its keys, and both count on from the same number", async () => {
    const authenticator = createAuthenticator()
    const credential = await register(authenticator)
    const clone = authenticator.clone()
    expect(await rejection(authenticate(clone, credential))).toBeUndefined()
    const { authenticationInfo } = await authenticate(authenticator, credential)
    const stored = { ...credential, counter: authenticationInfo.newCounter }
    expect(await rejection(authenticate(authenticator, stored))).toBeUndefined()
    expect(await rejection(authenticate(authenticator.clone({ counter: false }), stored))).toContain("counter")
  })
})

describe("a certificate of the manufacturer", () => {
  afterEach(() => SettingsService.setRootCertificates({ identifier: "packed", certificates: [] }))

  test("is trusted with the root of the authenticator, and not with another", async () => {
    const authenticator = createAuthenticator({ attestation: "certificate" })
    SettingsService.setRootCertificates({ identifier: "packed", certificates: [await authenticator.rootCertificate()] })
    expect(await rejection(registered(authenticator))).toBeUndefined()
    const other = createAuthenticator({ attestation: "certificate" })
    expect(await rejection(registered(other))).toContain("trust anchor")
    other.inject(authenticatorFaults.rootInCertificateChain)
    expect(await rejection(registered(other))).toContain("trust anchor")
  })
})

type Rejections = Readonly<Partial<Record<AuthenticatorFaultName, string>>>

const inBoth: Rejections = {
  wrongChallenge: "Unexpected",
  emptyChallenge: "Unexpected",
  wrongOrigin: "origin",
  plainHttpOrigin: "origin",
  originWithPort: "origin",
  originOfSubdomain: "origin",
  clientDataNotJson: "SyntaxError",
  wrongRpIdHash: "RP ID",
  noUserVerification: "verified",
  backedUpWithoutEligibility: "backed up",
  truncatedAuthenticatorData: "36 bytes",
  paddedAuthenticatorData: "Leftover",
  idUnlikeRawId: "base64url",
}

const inRegistrations: Rejections = {
  ...inBoth,
  wrongType: "webauthn.get",
  noUserPresence: "not present",
  noCredentialData: "No credential ID",
  emptyCredentialId: "Missing credential ID",
  unsupportedAlgorithm: "-47",
  unknownAttestationFormat: "Unsupported",
  statementInNoneAttestation: "None attestation",
  truncatedAttestation: "No data",
  garbageAttestation: "Error",
  deepAttestation: "call stack",
}

const inAuthentications: Rejections = {
  ...inBoth,
  wrongType: "webauthn.create",
  noUserPresence: "not present",
  foreignTopOrigin: "cross-origin",
  topOriginAlone: "top origin",
  sameCounter: "counter",
  lowerCounter: "counter",
  zeroCounter: "counter",
  badSignature: "not verified",
  emptySignature: "Error",
}

function namesIn(rejections: Rejections): readonly AuthenticatorFaultName[] {
  return names.filter((name) => name in rejections)
}

const names = Object.keys(authenticatorFaults) as AuthenticatorFaultName[]

describe("a fault", () => {
  test.each(namesIn(inRegistrations))("%s makes SimpleWebAuthn reject a registration", async (name) => {
    const authenticator = createAuthenticator({ faults: authenticatorFaults[name] })
    expect(await rejection(registered(authenticator))).toContain(inRegistrations[name])
  })

  test.each(namesIn(inAuthentications))("%s makes SimpleWebAuthn reject an authentication", async (name) => {
    const authenticator = createAuthenticator()
    const credential = await register(authenticator)
    const remove = authenticator.inject(authenticatorFaults[name])
    expect(await rejection(authenticate(authenticator, credential))).toContain(inAuthentications[name])
    remove()
    expect(await rejection(authenticate(authenticator, credential))).toBeUndefined()
  })

  test.each(["self", "certificate"] as const)("badSignature breaks the attestation %s", async (attestation) => {
    const authenticator = createAuthenticator({ attestation, faults: authenticatorFaults.badSignature })
    expect(await rejection(registered(authenticator))).toBeDefined()
  })

  test("otherCredentialId changes the ID in the response, and not the one in the attestation", async () => {
    const authenticator = createAuthenticator({ faults: authenticatorFaults.otherCredentialId })
    const options = await creationOptions()
    const response = await authenticator.create(options)
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: options.challenge,
      ...expected,
    })
    expect(registrationInfo?.credential.id).not.toBe(response.id)
    expect(registrationInfo?.credential.id).toBe(authenticator.credentials[0]?.id)
  })

  test.each([
    ["crossOrigin", { crossOrigin: true }],
    ["foreignTopOrigin", { crossOrigin: true, topOrigin: "https://evil.test" }],
    ["topOriginAlone", { crossOrigin: false, topOrigin: "https://evil.test" }],
  ] as const)("%s changes the client data", async (name, clientData) => {
    const authenticator = createAuthenticator({ faults: authenticatorFaults[name] })
    const { response } = await authenticator.create(await creationOptions())
    expect(JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString())).toMatchObject(clientData)
  })

  test("longCredentialId creates a credential whose ID has 1024 bytes", async () => {
    const authenticator = createAuthenticator({ faults: authenticatorFaults.longCredentialId })
    const credential = await register(authenticator)
    expect(Buffer.from(credential.id, "base64url")).toHaveLength(1024)
    expect(await rejection(authenticate(authenticator, credential))).toBeUndefined()
  })

  test.each([
    [undefined, "multiDevice"],
    ["done", "singleDevice"],
  ] as const)("backupEligibilityFlipped changes the flag of backup %s", async (backup, credentialDeviceType) => {
    const authenticator = createAuthenticator(backup && { backup })
    const credential = await register(authenticator)
    authenticator.inject(authenticatorFaults.backupEligibilityFlipped)
    const { authenticationInfo } = await authenticate(authenticator, credential)
    expect(authenticationInfo).toMatchObject({ credentialDeviceType, credentialBackedUp: false })
  })

  test.each(["unknownCredential", "otherUserHandle", "noUserHandle"] as const)(
    "%s changes the response and keeps the signature valid",
    async (name) => {
      const authenticator = createAuthenticator()
      const { id } = await register(authenticator)
      const correct = await authenticator.get({ challenge: "AAAA", rpId: rpID })
      authenticator.inject(authenticatorFaults[name])
      const faulty = await authenticator.get({ challenge: "AAAA", rpId: rpID })
      expect(faulty.id === id).toBe(name !== "unknownCredential")
      expect(faulty.response.userHandle === correct.response.userHandle).toBe(name === "unknownCredential")
      expect(faulty.response.clientDataJSON).toBe(correct.response.clientDataJSON)
    },
  )

  test("oversizedAttestation has 2 MB", async () => {
    const authenticator = createAuthenticator({ faults: authenticatorFaults.oversizedAttestation })
    const { response } = await authenticator.create(await creationOptions())
    expect(Buffer.from(response.attestationObject, "base64url").length).toBeGreaterThan(2_000_000)
  })

  test("can be written by hand, and combined with others", async () => {
    const authenticator = createAuthenticator({
      faults: [{ clientData: (data) => ({ ...data, extra: 1 }) }, { clientDataJSON: (text) => `${text} ` }],
    })
    const { response } = await authenticator.create(await creationOptions())
    expect(Buffer.from(response.clientDataJSON, "base64url").toString()).toMatch(/"extra":1\} $/)
    expect(await rejection(registered(authenticator))).toBeUndefined()
  })
})

import { defineModule, flag, integer, list, owner, record, sealed } from "@latchkey/core/module"

/** What the module keeps of a user. */
export const records = {
  secret: record(
    {
      userId: owner(),
      /** In Base32, as authenticator apps take it. */
      seed: sealed(),
      /** `false`: the user hasn't typed a first code yet. */
      isConfirmed: flag(),
      /** The step of the last code that was used, so that no code works twice (RFC 6238 §5.2). */
      lastStep: integer(),
      /** Hashes of the recovery codes that are left. */
      recovery: list(),
    },
    { key: ["userId"] },
  ),
}

export interface TotpServer {
  isEnrolled(userId: string): Promise<boolean>
}

/** Codes of an authenticator app as a second factor. */
export const totp = () =>
  defineModule<"totp", TotpServer, typeof records>({
    id: "totp",
    records,
    members: ["isEnrolled"],
    load: async () => (await import("#parts")).parts,
  })

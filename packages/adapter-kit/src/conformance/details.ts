import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectNull } from "./check.js"
import { anAuthenticator, aUser, instant, unique } from "./fixtures.js"

/** What the account page needs to show and remove passkeys, and to show sessions. */
export const details: readonly ConformanceCase[] = [
  defineCase(
    {
      id: "deleteAuthenticator",
      name: "one passkey is deleted, and an unknown one doesn't matter",
      part: "deleteAuthenticator",
    },
    ["createUser", "createAuthenticator", "getAuthenticator", "deleteAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const [deleted, kept] = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const each of [deleted, kept]) await adapter.createAuthenticator(each)
      await adapter.deleteAuthenticator(deleted.credentialID)
      await adapter.deleteAuthenticator(deleted.credentialID)
      expectNull(
        "deleteAuthenticator deletes it, so getAuthenticator",
        await adapter.getAuthenticator(deleted.credentialID),
      )
      expectFields(
        "deleteAuthenticator keeps the user's other passkeys",
        await adapter.getAuthenticator(kept.credentialID),
        {
          credentialID: kept.credentialID,
        },
      )
    },
  ),
  defineCase(
    {
      id: "describeAuthenticator",
      name: "details of a passkey are stored, changed one by one, and not created for an unknown one",
      part: "describeAuthenticator",
    },
    ["createUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "describeAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const [passkey, other] = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const each of [passkey, other]) await adapter.createAuthenticator(each)
      const { credentialID } = passkey
      await adapter.describeAuthenticator(credentialID, { createdAt: instant(options, 2020), name: "Laptop" })
      await adapter.describeAuthenticator(credentialID, { lastUsedAt: instant(options) })
      const details = { name: "Laptop", createdAt: instant(options, 2020), lastUsedAt: instant(options) }
      expectFields(
        "getAuthenticator returns the details",
        (await adapter.getAuthenticator(credentialID))?.details,
        details,
      )
      const [listed] = (await adapter.listAuthenticatorsByUserId(user.id)).filter(
        (row) => row.credentialID === credentialID,
      )
      expectFields("listAuthenticatorsByUserId returns the details", listed?.details, details)
      await adapter.describeAuthenticator(credentialID, { name: null })
      const unnamed = (await adapter.getAuthenticator(credentialID))?.details
      expectFields(
        "describeAuthenticator removes a name",
        { ...unnamed, name: unnamed?.name ?? null },
        { ...details, name: null },
      )
      const { credentialPublicKey } = passkey
      expectFields("describeAuthenticator keeps the passkey itself", await adapter.getAuthenticator(credentialID), {
        credentialPublicKey,
      })
      const { details: none } = (await adapter.getAuthenticator(other.credentialID)) ?? {}
      expectNull("describeAuthenticator changes no other passkey, so its name", none?.name ?? null)
      const unknown = btoa(unique())
      await adapter.describeAuthenticator(unknown, { name: "Ghost" })
      expectNull(
        "describeAuthenticator creates no passkey, so getAuthenticator",
        await adapter.getAuthenticator(unknown),
      )
    },
  ),
  defineCase(
    {
      id: "describeSession",
      name: "details of a session are stored, changed one by one, and not created for an unknown one",
      part: "describeSession",
    },
    ["createUser", "createSession", "getSessionAndUser", "describeSession"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const session = { sessionToken: unique(), userId: user.id, expires: instant(options) }
      await adapter.createSession(session)
      const { sessionToken } = session
      await adapter.describeSession(sessionToken, {
        createdAt: instant(options, 2020),
        browser: "Firefox",
        system: "Linux",
      })
      await adapter.describeSession(sessionToken, { lastUsedAt: instant(options) })
      const details = {
        createdAt: instant(options, 2020),
        lastUsedAt: instant(options),
        browser: "Firefox",
        system: "Linux",
      }
      const found = await adapter.getSessionAndUser(sessionToken)
      expectFields("getSessionAndUser returns the details", found?.session.details, details)
      expectFields("describeSession keeps the session itself", found?.session, { userId: user.id })
      const listed = (await adapter.listSessions?.(user.id))?.find((row) => row.sessionToken === sessionToken)
      if (listed !== undefined) expectFields("listSessions returns the details", listed.details, details)
      const unknown = unique()
      await adapter.describeSession(unknown, { browser: "Ghost" })
      expectNull("describeSession creates no session, so getSessionAndUser", await adapter.getSessionAndUser(unknown))
    },
  ),
]

import { adapterFor } from "../../account/requirements.js"
import type { StoredUser } from "../../account/signed-in.js"
import { InvalidProfile } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import { maxTypedImage, maxTypedName } from "../../limits/of-input.js"
import type { ProfileChanges } from "../../model/account.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { SetCookie } from "../../model/cookie.js"
import { plainLine } from "../../primitives/plain-line.js"
import { renewSession } from "./renew-session.js"
import { requirements } from "./requirements.js"

/** It needs no recent sign-in, because no user signs in with a name or an image. */
export async function updateProfile(stored: StoredUser, given: ProfileChanges): Promise<readonly SetCookie[]> {
  const { auth, request, user, userId } = stored
  const adapter = adapterFor(auth, requirements.updateProfile)
  const wanted = differing(user, typed(user, given))
  const changes = isEmpty(wanted) ? wanted : differing(user, await allowed(stored, wanted))
  if (isEmpty(changes)) return []
  const updated: AdapterUser = { ...user, ...(await adapter.updateUser({ id: user.id, ...changes })), ...changes }
  auth.logger.debug("account.update-profile", () => ({ userId }))
  await auth.events.updateProfile(withRequest({ user: updated, changes }, request))
  return renewSession(stored, { name: user.name ?? null, image: user.image ?? null }, changes)
}

/** @throws InvalidProfile */
function typed({ image: former }: AdapterUser, { name, image }: ProfileChanges): ProfileChanges {
  return {
    ...(name !== undefined && { name: name === null ? null : plainLine(name, maxTypedName) }),
    // The image of a provider may be a data URL, and an application may send it back.
    ...(image !== undefined && { image: image === former ? image : imageUrl(image?.trim() ?? "") }),
  }
}

/** @throws InvalidProfile */
function imageUrl(text: string): string | null {
  if (text === "") return null
  const url = text.length <= maxTypedImage && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPublic(url) || url.href.length > maxTypedImage)
    throw new InvalidProfile("An image needs a public URL with https. Use another URL, or none", { field: "image" })
  return url.href
}

const privateNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)\.?$/

/**
 * An application may fetch the image on its server, for example to scale it. Then a name of its own network, an IP address (the URL
 * parser turns `https://2130706433` into `127.0.0.1`), a port or credentials would reach what the user can't (SSRF).
 */
function isPublic({ protocol, hostname, port, username, password }: URL): boolean {
  const isNamed = hostname.includes(".") && /[a-z][a-z0-9-]*\.?$/.test(hostname) && !privateNames.test(hostname)
  return protocol === "https:" && isNamed && port === "" && username === "" && password === ""
}

/** @throws InvalidProfile if the application refuses */
async function allowed({ auth, request, user }: StoredUser, changes: ProfileChanges): Promise<ProfileChanges> {
  const { updateProfile: decide } = auth
  if (typeof decide !== "function") return changes
  const decision = await decide(withRequest({ user, changes }, request))
  const field = changes.name === undefined ? "image" : "name"
  if (decision === false) throw new InvalidProfile("The `updateProfile` callback refused the change", { field })
  return decision === true ? changes : decision
}

function differing(user: AdapterUser, { name, image }: ProfileChanges): ProfileChanges {
  return {
    ...(name !== undefined && name !== (user.name ?? null) && { name }),
    ...(image !== undefined && image !== (user.image ?? null) && { image }),
  }
}

function isEmpty(changes: ProfileChanges): boolean {
  return Object.keys(changes).length === 0
}

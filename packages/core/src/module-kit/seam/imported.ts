import type { SessionContext } from "../../model/auth.js"
import type { SeamLoader } from "../model.js"

const load = async () => import("../../module/seam.js")

const identify: SeamLoader["identify"] = async (auth, request, module) => {
  if (module.authenticates?.(request.headers) !== true) return undefined
  if (module.records !== undefined && auth.records === undefined) return undefined
  // Core calls it, with its own context.
  return (await load()).identify(auth as SessionContext, request, module)
}

export const loadSeam: SeamLoader = Object.assign(load, { identify })

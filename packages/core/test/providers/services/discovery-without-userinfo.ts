import type { Quirk } from "../service/desk.js"

export const discoveryWithoutUserinfo: Quirk = {
  document: (document) => ({ ...document, userinfo_endpoint: undefined }),
}

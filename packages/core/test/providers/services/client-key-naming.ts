import type { Quirk } from "../service/desk.js"

/** The client has other names; its usual ones are passed over. */
export const clientKeyNaming: Quirk = {
  expects: (fields, came) => {
    const { client_id: id, ...rest } = fields
    return id === undefined || came["client_id"] === undefined ? rest : fields
  },
}

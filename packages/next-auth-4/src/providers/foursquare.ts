import core, { type FoursquareOptions } from "@latchkey/core/providers/foursquare"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/foursquare"

const Foursquare: LooseFactory<Partial<FoursquareOptions>> = providerOf(core, {
  authorization: { params: { scope: "openid" } },
})

export default Foursquare

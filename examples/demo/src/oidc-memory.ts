import type { Adapter, AdapterPayload } from "oidc-provider"

type Payloads = Map<string, AdapterPayload>

/** Stores the data of the OpenID provider in memory. The provider checks expiry itself. */
export function memoryAdapter(): (model: string) => Adapter {
  const models = new Map<string, Payloads>()
  return (model) => {
    const payloads = models.get(model) ?? new Map<string, AdapterPayload>()
    models.set(model, payloads)
    return createAdapter(payloads, models)
  }
}

function createAdapter(payloads: Payloads, models: ReadonlyMap<string, Payloads>): Adapter {
  const findBy = async (field: "uid" | "userCode", value: string) =>
    [...payloads.values()].find((one) => one[field] === value)
  return {
    upsert: async (id, payload) => void payloads.set(id, payload),
    find: async (id) => payloads.get(id),
    findByUid: (uid) => findBy("uid", uid),
    findByUserCode: (code) => findBy("userCode", code),
    consume: async (id) => {
      const payload = payloads.get(id)
      if (payload !== undefined) payloads.set(id, { ...payload, consumed: Math.floor(Date.now() / 1000) })
    },
    destroy: async (id) => void payloads.delete(id),
    revokeByGrantId: async (grantId) => {
      for (const model of models.values()) for (const [id, one] of model) if (one.grantId === grantId) model.delete(id)
    },
  }
}

import type { Adapter, AdapterPayload } from "oidc-provider"

type Kept = Map<string, AdapterPayload>

/** What the OpenID provider remembers, for as long as the demo runs; the provider itself looks at expiry. */
export function memoryAdapter(): (model: string) => Adapter {
  const models = new Map<string, Kept>()
  return (model) => {
    const kept = models.get(model) ?? new Map<string, AdapterPayload>()
    models.set(model, kept)
    return adapterOver(kept, models)
  }
}

function adapterOver(kept: Kept, models: ReadonlyMap<string, Kept>): Adapter {
  const matching = async (field: "uid" | "userCode", value: string) =>
    [...kept.values()].find((one) => one[field] === value)
  return {
    upsert: async (id, payload) => void kept.set(id, payload),
    find: async (id) => kept.get(id),
    findByUid: (uid) => matching("uid", uid),
    findByUserCode: (code) => matching("userCode", code),
    consume: async (id) => {
      const payload = kept.get(id)
      if (payload !== undefined) kept.set(id, { ...payload, consumed: Math.floor(Date.now() / 1000) })
    },
    destroy: async (id) => void kept.delete(id),
    revokeByGrantId: async (grantId) => {
      for (const model of models.values()) for (const [id, one] of model) if (one.grantId === grantId) model.delete(id)
    },
  }
}

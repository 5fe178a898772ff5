import type { Adapter, AdapterPayload } from "oidc-provider"

/** What the provider remembers, until it ends. */
export function memory(): (model: string) => Adapter {
  const models = new Map<string, Map<string, AdapterPayload>>()
  return (model) => {
    const kept = models.get(model) ?? new Map<string, AdapterPayload>()
    models.set(model, kept)
    const having = async (field: "uid" | "userCode", value: string) =>
      [...kept.values()].find((one) => one[field] === value)
    return {
      upsert: async (id, payload) => void kept.set(id, payload),
      find: async (id) => kept.get(id),
      findByUid: (uid) => having("uid", uid),
      findByUserCode: (code) => having("userCode", code),
      destroy: async (id) => void kept.delete(id),
      consume: async (id) => {
        const payload = kept.get(id)
        if (payload !== undefined) kept.set(id, { ...payload, consumed: Math.floor(Date.now() / 1000) })
      },
      revokeByGrantId: async (grantId) => {
        for (const each of models.values())
          for (const [id, payload] of each) if (payload.grantId === grantId) each.delete(id)
      },
    }
  }
}

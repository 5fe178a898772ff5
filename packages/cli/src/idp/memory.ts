import type { Adapter, AdapterPayload } from "oidc-provider"

/** Keeps the provider's data until the process ends. */
export function memory(): (model: string) => Adapter {
  const models = new Map<string, Map<string, AdapterPayload>>()
  return (model) => {
    const rows = models.get(model) ?? new Map<string, AdapterPayload>()
    models.set(model, rows)
    const findBy = async (field: "uid" | "userCode", value: string) =>
      [...rows.values()].find((row) => row[field] === value)
    return {
      upsert: async (id, payload) => void rows.set(id, payload),
      find: async (id) => rows.get(id),
      findByUid: (uid) => findBy("uid", uid),
      findByUserCode: (code) => findBy("userCode", code),
      destroy: async (id) => void rows.delete(id),
      consume: async (id) => {
        const payload = rows.get(id)
        if (payload !== undefined) rows.set(id, { ...payload, consumed: Math.floor(Date.now() / 1000) })
      },
      revokeByGrantId: async (grantId) => {
        for (const each of models.values())
          for (const [id, payload] of each) if (payload.grantId === grantId) each.delete(id)
      },
    }
  }
}

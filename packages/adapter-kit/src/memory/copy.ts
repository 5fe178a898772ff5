/** A copy that shares nothing with the row. Fields that are `undefined` are left out, as a database would. */
export function copyIn<Row extends object>(row: Row): Row {
  const own = { ...row }
  for (const key in own) {
    if (own[key] === undefined) delete own[key]
    else own[key] = copyValue(own[key])
  }
  // Deleting made a slow object of it; a fresh literal is what later reads are copied from.
  return { ...own }
}

/** The same for a row that {@link copyIn} made: on the path of every session read. */
export function copyOut<Row extends object>(row: Row): Row {
  const own = { ...row }
  for (const key in own) {
    const value = own[key]
    if (typeof value === "object" && value !== null) own[key] = copyValue(value)
  }
  return own
}

function copyValue<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value
  return value instanceof Date ? (new Date(value) as Value & Date) : structuredClone(value)
}

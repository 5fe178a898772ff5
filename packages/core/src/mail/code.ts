/** Maximum lifetime of a code in seconds. It's short because a code is easier to guess than a link. */
export const maxCodeAge = 600

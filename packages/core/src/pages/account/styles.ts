/** CSS rules that only the account page needs. */
export const accountRules = `
@media (min-width:451px){.account .card{width:40rem}}
.account .who,.account .back{text-align:center}
.account section{margin-top:1.5rem;padding-top:1.5rem;border-top:var(--border-width) solid var(--color-separator)}
.account h2{margin:0 0 .75rem;font-size:1.0625rem;line-height:1.4;font-weight:600}
.account .note,.account .details,.account dt{font-size:.875rem;color:var(--color-primary)}
.account .done{margin:0 0 1rem;padding:.75rem 1rem;border:var(--border-width) solid var(--color-info);border-radius:var(--border-radius)}
.account dl{margin:0 0 1rem}
.account dl div+div{margin-top:.5rem}
.account dd{margin:0}
.account .items{margin:0 0 1rem;padding:0;list-style:none}
.account .items li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.625rem 0}
.account .items li+li{border-top:var(--border-width) solid var(--color-separator)}
.account .what{flex:1 1 12rem;display:flex;flex-direction:column}
.account .details{display:flex;flex-wrap:wrap;gap:0 1rem}
.account .items form button{width:auto}
.account form+form,.account details+form,.account .items+form{margin-top:.75rem}
.account summary{display:inline-flex;align-items:center;justify-content:center;min-width:2.75rem;min-height:2.75rem;padding:0 .5rem;font-weight:500;cursor:pointer;
text-decoration:underline;text-underline-offset:.2em;border-radius:var(--border-radius);list-style:none}
.account summary::-webkit-details-marker{display:none}
.account summary:hover{background:var(--color-background-hover)}
.account li details[open]{flex-basis:100%}
.account details>div{padding:.5rem .5rem 0}
.account .danger{color:var(--color-error);border-color:currentColor}
.__next-auth-theme-dark .danger{color:#ff8f86}
@media (prefers-color-scheme:dark){.__next-auth-theme-auto .danger{color:#ff8f86}}
.account .check{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;margin:0 0 1rem}
.account .check input{margin:0;flex:none}
.account .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.account .again{margin:0 0 1rem}
`

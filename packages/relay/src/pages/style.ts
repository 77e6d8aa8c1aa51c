/** The only style of the relay's own pages; its hash stands in their content policy. Colours and sign are the console's. */
export const pageStyle = `
:root{color-scheme:light dark;--ground:#f1f5f7;--card:#fff;--text:#16232b;--soft:#51626d;--line:#e4eaee;--accent:#0b6b86;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#10161a;--card:#182026;--text:#e8edf2;--soft:#9aa7b4;--line:#2a343c;--accent:#5cc0d6;--on-accent:#0b1418}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--text);
font:16px/1.65 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:480px;padding:32px;background:var(--card);border:1px solid var(--line);border-radius:16px;box-shadow:0 12px 32px rgb(11 60 80/.07);overflow-wrap:anywhere}
p{margin:0;text-wrap:pretty}
.brand{display:flex;align-items:center;gap:10px;font-weight:600;font-size:17px}
.brand svg{width:28px;height:28px}
.mark{fill:var(--accent)}
.lines{fill:none;stroke:var(--on-accent);stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}
.status{margin-top:28px;font-size:14px;color:var(--soft);font-variant-numeric:tabular-nums}
h1{margin:2px 0 0;font-size:24px;line-height:1.35;font-weight:650;text-wrap:balance}
h2{margin:22px 0 2px;font-size:13px;font-weight:600;color:var(--soft)}
.retry{display:inline-block;min-height:44px;margin-top:26px;padding:9px 24px;border-radius:8px;background:var(--accent);color:var(--on-accent);text-decoration:none;font-weight:600}
.retry:hover{opacity:.9}
.retry:focus-visible{outline:3px solid var(--text);outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:28px 0 0;padding-top:18px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
dd{margin:0;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:400px){main{padding:24px 20px}h1{font-size:21px}dl{display:block}dt{margin-top:8px}}
`

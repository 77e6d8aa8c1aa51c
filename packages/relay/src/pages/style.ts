/** The only style of the relay's own pages; its hash stands in their content policy. */
export const pageStyle = `
:root{color-scheme:light dark;--ground:#f4f6f8;--card:#fff;--text:#1c2733;--soft:#5b6875;--line:#e3e8ed;--accent:#0f6e84;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#11161b;--card:#1a2128;--text:#e8edf2;--soft:#9aa7b4;--line:#2b353f;--accent:#5cc0d6;--on-accent:#0b1418}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--text);
font:16px/1.65 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:480px;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
p{margin:0}
.brand{display:flex;align-items:center;gap:8px;font-weight:600;color:var(--accent);letter-spacing:.08em}
.brand::before{content:"";width:10px;height:10px;border-radius:50% 50% 50% 2px;background:var(--accent)}
.status{margin-top:28px;font-size:14px;color:var(--soft);font-variant-numeric:tabular-nums}
h1{margin:2px 0 0;font-size:24px;line-height:1.35;font-weight:650}
h2{margin:22px 0 2px;font-size:13px;font-weight:600;color:var(--soft)}
.retry{display:inline-block;margin-top:26px;padding:9px 22px;border-radius:8px;background:var(--accent);color:var(--on-accent);text-decoration:none;font-weight:600}
.retry:focus-visible{outline:3px solid var(--text);outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 14px;margin:28px 0 0;padding-top:18px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
dd{margin:0;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:400px){main{padding:26px 20px}h1{font-size:21px}}
`

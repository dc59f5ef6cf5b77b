/// The one style of every page; the page's policy names it by its digest, so that nothing else can style.
enum Style {
  static let sheet = base + pictures + Ink.style + narrow + middling + modes

  static let light =
    "--bg:#fff;--fg:#1a1a1a;--dim:#595959;--line:#d9d9d9;--soft:#f4f5f7;--link:#0057a3;--good:#00694d;--warn:#8a5300;--bad:#b3261e;--calm:#4a4a4a;--heat:0,114,178;"
  private static let dark =
    "--bg:#121212;--fg:#ececec;--dim:#b0b0b0;--line:#3a3a3a;--soft:#1d1e20;--link:#8ab4f8;--good:#4cd1a4;--warn:#f0b35a;--bad:#ff8a80;--calm:#c8c8c8;--heat:86,180,233;"

  private static let base = """
    :root{color-scheme:light dark;\(light)\(Ink.lightPalette)}
    *{box-sizing:border-box}
    html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
    header,main,footer{max-width:80rem;margin:0 auto;padding:0 1.5rem}
    header{padding-top:1.25rem}
    nav{font-size:.9rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
    .tabs{margin:.5rem 0 .25rem;border-bottom:1px solid var(--line);gap:0 .25rem}
    .tabs a{padding:.3rem .7rem;text-decoration:none;border-bottom:3px solid transparent}
    .tabs a:hover{text-decoration:underline}
    .tabs a[aria-current]{border-color:var(--link)}
    nav a[aria-current]{color:var(--fg);font-weight:600;text-decoration:none}
    .vh,.skip:not(:focus){position:absolute;left:-99em}
    a{color:var(--link)}
    [data-v]{font-weight:inherit}
    h1{font-size:1.75rem;line-height:1.2;margin:.75rem 0 .25rem}
    h1.long{font-size:1.1rem}
    h2{font-size:1.25rem;line-height:1.3;margin:0 0 .25rem}
    h3{font-size:1rem;margin:1.25rem 0 .25rem}
    h2 a{color:inherit;text-decoration:none}
    h2 a:hover,h2 a:focus{text-decoration:underline}
    p{margin:.25rem 0 .75rem;max-width:48rem}
    .meta,.note,small,caption,summary,.of{color:var(--dim);font-size:.875rem}
    .meta{max-width:none}
    section{margin:2.5rem 0 0}
    .badge{display:inline-block;border:1px solid currentColor;border-radius:1rem;padding:0 .6rem;font-size:.8125rem;font-weight:600;white-space:nowrap}
    .good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.calm{color:var(--calm)}
    .verdict{border-left:6px solid var(--calm);background:var(--soft);padding:.9rem 1.1rem;border-radius:0 .4rem .4rem 0;margin:1rem 0}
    .verdict.good{border-color:var(--good)}.verdict.warn{border-color:var(--warn)}.verdict.bad{border-color:var(--bad)}
    .verdict h3{margin:0;font-size:1.1rem}.verdict p{margin:0;max-width:60rem;color:var(--fg)}
    .verdict strong{font-size:1.2rem;color:inherit}
    .verdict.good strong{color:var(--good)}.verdict.warn strong{color:var(--warn)}.verdict.bad strong{color:var(--bad)}
    .verdict .meta{color:var(--dim)}.verdict ul{margin:.4rem 0 0;padding-left:1.1rem;color:var(--fg);font-size:.9375rem}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:.75rem;margin:1rem 0 0;padding:0}
    @media (min-width:56rem){.tiles.of7,.tiles.of8{grid-template-columns:repeat(4,1fr)}.tiles.of9,.tiles.of10{grid-template-columns:repeat(5,1fr)}}
    .tiles>div{background:var(--soft);border-radius:.4rem;padding:.7rem .85rem .8rem}
    .tiles dt{color:var(--dim);font-size:.875rem}
    .tiles dd{margin:0;font-size:.875rem;color:var(--dim)}
    .tiles dd.big{font-size:1.6rem;line-height:1.3;color:var(--fg);font-weight:600}
    .sc{overflow-x:auto;max-width:100%}
    .sc:focus-visible{outline:2px solid var(--link)}
    table{border-collapse:collapse;font-size:.875rem;min-width:min(100%,36rem);margin:.5rem 0}
    caption{text-align:left;padding:.25rem 0;caption-side:top}
    th,td{overflow-wrap:normal;text-align:right;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
    th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal;overflow-wrap:break-word;min-width:7rem;max-width:18rem}
    .stack th:first-child{min-width:7.6em;max-width:9rem;overflow-wrap:anywhere}
    .finding{margin:.75rem 0}.finding h3{margin:0}
    .files{display:flex;flex-wrap:wrap;gap:0 .9rem;font-size:.8125rem;line-height:1.5rem;margin:0}
    .older{columns:16rem;font-size:.875rem;padding-left:1.1rem}
    .key{display:none;flex-wrap:wrap;gap:0 .9rem;font-size:.8125rem;margin:.2rem 0;max-width:none}.key bdi::before{content:"";display:inline-block;vertical-align:middle;width:1.75rem;height:3px;margin-right:.3rem;background:repeating-linear-gradient(90deg,var(--k) var(--d,0 9rem));forced-color-adjust:none}.key .fc{--d:0 6px,#0000 0 10px}.key .a::before{width:.8rem;height:.8rem;background:var(--k)}
    thead th{vertical-align:bottom;white-space:normal}
    td.t,th.t{text-align:left;white-space:normal}
    td i,th i,dd i,li i,p i{font-style:normal;color:var(--dim)}
    summary{cursor:pointer;padding:.3rem 0}
    code{font:.875em ui-monospace,"DejaVu Sans Mono",monospace;background:var(--soft);padding:.05em .3em;border-radius:.2em}
    td code{overflow-wrap:anywhere}td.t:has(code){min-width:14rem}
    time,.o{white-space:nowrap}.stack th time{white-space:normal}.stack i{display:block;font-weight:400}.stack th,.stack td{padding-left:.3rem;padding-right:.3rem}
    .strips{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(27rem,100%),1fr));gap:0 1rem}
    .small{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem 2.5rem}
    dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;font-size:.875rem;margin:.5rem 0}
    .facts dt{color:var(--dim)}.facts dd{margin:0}
    footer{border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;padding-bottom:3rem;font-size:.875rem}

    """

  static let pictures = """
    svg{display:block;overflow:visible;max-width:100%}
    .sp{display:inline-block;vertical-align:middle;max-width:none;width:96px}
    .pc{padding:0 9.5rem 0 2.9rem;break-inside:avoid}.pr{break-inside:avoid}.pd{padding:0 2px 0 2.4rem;break-inside:avoid}
    svg text{font-size:12px;fill:var(--dim);paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round;unicode-bidi:isolate}
    .ty,.tn,.rv,.e{text-anchor:end}.tx{text-anchor:middle}.tx.s{text-anchor:start}.tx.e{text-anchor:end}
    svg .n text{fill:var(--fg)}
    svg .el,svg .rn{font-weight:600;fill:var(--fg)}
    svg .rv{fill:var(--fg)}
    svg .w{fill:var(--bad)}
    svg .rk{font-weight:600}
    .sw{fill:var(--k)}
    .g,.ax,.half,.mk,.l,.c{vector-effect:non-scaling-stroke;fill:none}.g{stroke:var(--line)}.g.o{stroke:var(--bg);stroke-opacity:.35}.ax{stroke:var(--dim)}.half{stroke:var(--dim);stroke-dasharray:2 4}.mk{stroke:var(--dim);stroke-dasharray:1 3}
    .l{stroke:var(--k);stroke-width:2.25}
    .l.base{stroke:var(--dim);stroke-width:1.25}
    .l.fc{stroke-dasharray:6 4}
    .b{fill:var(--k);fill-opacity:.18}.b.f{fill-opacity:.1}.l.f{stroke-opacity:.85;stroke-width:1.25}
    .a{fill:var(--k)}.as path{stroke:var(--bg);vector-effect:non-scaling-stroke}.c{stroke:var(--k);stroke-width:1.25}
    .wh{fill:var(--fg);stroke:var(--bg);stroke-width:2;paint-order:stroke}.dt{fill:var(--k);stroke:var(--bg);stroke-width:1.5}
    .v{fill:transparent;cursor:crosshair}.v>:hover{fill:var(--fg);fill-opacity:.07}
    .h{fill:rgb(var(--heat))}.h.none{fill:none;stroke:var(--line)}

    """

  /// Where a picture is narrow its names stand above it, and every other tick goes.
  private static let slim =
    ".pc{padding-right:1.2rem}svg .m,svg .el{display:none}.key{display:flex}"

  private static let narrow = """
    @media (max-width:37.5em){
    header,main,footer{padding-left:1rem;padding-right:1rem}
    h1{font-size:1.4rem}
    \(slim)
    .tiles{grid-template-columns:repeat(2,minmax(0,1fr))}.tiles>div:last-child:nth-child(odd){grid-column:1/-1}
    th,td{padding:.35rem .3rem}td i{display:block}th:first-child,td:first-child{min-width:5.5rem}
    td.t:last-child{min-width:9rem}caption{position:sticky;left:0;width:calc(100vw - 2rem)}
    dl.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.4rem}
    }
    @media (max-width:15em){time,.badge{white-space:normal}}

    """

  /// Between a phone and a desk the widest table shrinks, and nothing of it is out of sight.
  private static let middling = """
    @media screen and (min-width:37.51em) and (max-width:70em){.stack{font-size:clamp(.6875rem,1.4vw,.8125rem)}.stack th,.stack td{padding-left:.15rem;padding-right:.15rem}.stack .badge{font-size:.9em;padding:0 .3rem}.stack .sp{width:2.8em}.stack th:first-child{min-width:6em}}

    """

  private static let modes = """
    @media screen and (prefers-color-scheme:dark){:root{\(dark)\(Ink.darkPalette)}}
    @media screen and (min-width:62.5em){main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 3.5rem}.wide,main>div:has(details[open] .stack){grid-column:1/-1}.tall{grid-row:span 2}}
    @media screen and (forced-colors:active){:root{--bg:Canvas;--fg:CanvasText;--dim:CanvasText}.tabs a:not([aria-current]){border-color:Canvas}}
    @media print{
    @page{size:A4;margin:11mm}
    :root{color-scheme:light}
    body{font-size:8pt;line-height:1.3}
    header,main,footer{max-width:none;padding:0}
    main{columns:2;column-gap:8mm}
    .wide{column-span:all}
    nav,.skip,.noprint,.files{display:none}
    h1{font-size:15pt;margin:0}h2{font-size:10.5pt}h3{font-size:8.5pt;margin:.4rem 0 0}
    p,ul{margin:.1rem 0 .25rem}ul{padding-left:1rem}
    section{margin:.7rem 0 0}
    .meta,.note,small,caption,summary,.of,footer,dl.facts{font-size:7pt}
    .strips{display:block}.badge{font-size:6pt;padding:0 .4rem}
    .verdict{margin:.4rem 0;padding:.4rem .7rem}.verdict h3,.verdict strong{font-size:10pt}.verdict ul{font-size:8pt;margin:.1rem 0 0}
    .tiles{grid-template-columns:repeat(4,1fr);gap:1.5mm;margin:.4rem 0 0}.tiles>div{padding:.3rem .5rem}
    .tiles.of5,.tiles.of9,.tiles.of10{grid-template-columns:repeat(5,1fr)}
    .tiles dt,.tiles dd{font-size:7pt}.tiles dd.big{font-size:12pt}
    h2,h3,caption,summary,thead,p[id]{break-after:avoid}
    tr,.tiles,.verdict,.small>div,p[id]{break-inside:avoid}
    summary{list-style:none;padding:0;height:0;visibility:hidden}
    details::details-content{content-visibility:visible;display:block}
    .sc{overflow:visible}
    table{width:100%;font-size:6.5pt;margin:.1rem 0 .3rem}
    th,td{white-space:normal;padding:.1rem .25rem}th:first-child,td:first-child{min-width:14mm;overflow-wrap:break-word}td i{display:block}
    thead th,th:first-child,td.t{overflow-wrap:anywhere;max-width:9rem}thead th{min-width:5.8em}.stack{font-size:5.5pt}.stack th,.stack td{padding:.1rem .12rem}.stack thead th{min-width:5.2em}.stack:has(th:nth-child(6):last-child) thead th{min-width:6.4em}.stack:has(th:nth-child(7):last-child) tbody th{min-width:11.5em}
    footer{margin-top:.5rem;padding:.3rem 0 0}
    .pc,.pr,.pd{zoom:.7}
    \(slim)
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }

    """
}

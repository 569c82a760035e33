" A session in a real Vim with ALE; run.sh starts it.
"
" It opens an overlay with a typo in the target of a patch, waits for the mistake, hovers, goes to a definition, completes a path
" into a document, and types the fix. Vim ends with exit code 0 if everything was as it should be, else with 1.

set nocompatible hidden
let g:ale_hover_to_preview = 1
filetype plugin on
packadd! ale
runtime! plugin/ale.vim
source $CONFIGURATION/ale.vim

let s:lines = []
let s:failed = 0

function! s:check(ok, what) abort
  call add(s:lines, (a:ok ? 'ok   vim: ' : 'FAIL vim: ') .. a:what)
  let s:failed = s:failed || !a:ok
endfunction

function! s:show(text) abort
  if $VERBOSE ==# '1' | call extend(s:lines, split(a:text, "\n")) | endif
endfunction

" What a test waits for may take long on a busy machine.
function! s:until(what, condition) abort
  let l:end = reltimefloat(reltime()) + 60
  while !a:condition() && reltimefloat(reltime()) < l:end
    sleep 20m
  endwhile
  call s:check(a:condition(), a:what)
endfunction

function! s:mistakes() abort
  return join(map(copy(ale#engine#GetLoclist(bufnr('overlay/kustomization.yaml'))), 'v:val.lnum .. ": " .. v:val.text'), "\n")
endfunction

function! s:preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow') | return join(getbufline(winbufnr(l:window), 1, '$'), "\n") | endif
  endfor
  return ''
endfunction

" A request goes unanswered while a server starts: it is made until there is an answer.
function! s:ask(what, command, condition) abort
  let l:end = reltimefloat(reltime()) + 60
  while !a:condition() && reltimefloat(reltime()) < l:end
    execute a:command
    let l:patience = reltimefloat(reltime()) + 3
    while !a:condition() && reltimefloat(reltime()) < l:patience
      sleep 20m
    endwhile
  endwhile
  call s:check(a:condition(), a:what)
endfunction

function! s:session() abort
  execute 'edit' fnameescape($TREE .. '/overlay/kustomization.yaml')
  let l:buffer = bufnr('%')
  call s:check(&filetype ==# 'yaml', 'the file is YAML')
  call s:until('diagnostics', {-> s:mistakes() =~# '8: .*wbe.*did you mean web'})
  call s:show(s:mistakes())
  call search('db.example')
  call s:ask('hover on a replacement has the value before', 'ALEHover', {-> s:preview() =~# 'localhost'})
  call s:show(s:preview())
  pclose
  call search('wbe')
  normal! ciwweb
  doautocmd TextChanged
  call s:until('the diagnostic goes when the name is mended', {-> s:mistakes() !~# 'wbe'})
  call s:ask('definition', 'ALEGoToDefinition', {-> expand('%:p') ==# resolve($TREE .. '/base/deploy.yaml') && getline('.') =~# 'name: web'})
  execute 'buffer' l:buffer
  call search('database.host')
  normal! $
  call s:until('completion offers keys of embedded JSON', function('s:offers'))
endfunction

" The keys of the document are offered behind its path. ALE answers in insert mode alone.
function! s:offers() abort
  call setline('.', '    - data.config\.json.database.')
  call feedkeys("A\<C-r>=Collect()\<CR>", 'xt')
  return join(s:words) =~# 'database\.host' && join(s:words) =~# 'database\.port'
endfunction

let s:words = []
function! Collect() abort
  if ale#completion#OmniFunc(1, '') < 0 | return '' | endif
  " The second call of the function would stop at once, since the end of the input is as good as a key.
  let l:end = reltimefloat(reltime()) + 5
  while ale#completion#GetCompletionResult() is v:null && reltimefloat(reltime()) < l:end
    sleep 20m
  endwhile
  let l:found = ale#completion#GetCompletionResult()
  let s:words = map(copy(l:found is v:null ? [] : l:found), 'v:val.word')
  return ''
endfunction

try
  call s:session()
catch
  call s:check(0, v:exception .. ' at ' .. v:throwpoint)
endtry
call writefile(s:lines, $TREE .. '/session.txt')
execute s:failed ? 'cquit! 1' : 'qall!'

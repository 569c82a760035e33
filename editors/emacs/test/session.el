;;; session.el --- A session in a real Emacs with eglot  -*- lexical-binding: t -*-

;;; Commentary:

;; run.sh starts it.  It opens an overlay with a typo in the target of a patch, waits for the diagnostic, hovers, and types
;; the fix.  Emacs ends with 0 if everything was as it should be.

;;; Code:

(setq package-archives nil)
(package-initialize)
(require 'eglot)
(require 'flymake)
(load (expand-file-name "../kls.el" (file-name-directory load-file-name)) nil t)

(defvar session-failed nil)

(defun session-check (ok what)
  "Print whether WHAT is OK."
  (princ (format "%s emacs: %s\n" (if ok "ok  " "FAIL") what))
  (unless ok (setq session-failed t)))

(defun session-show (text)
  "Print TEXT when asked to."
  (when (equal (getenv "VERBOSE") "1") (princ (concat text "\n"))))

(defun session-wait (condition)
  "Wait until CONDITION holds, for ten seconds at most."
  (let ((end (+ (float-time) 10)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (funcall condition)))

(defun session-diagnostics ()
  "What flymake shows."
  (mapconcat (lambda (d) (format "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
             (flymake-diagnostics) "\n"))

(defun session-place (needle)
  "Put point on NEEDLE."
  (goto-char (point-min))
  (search-forward needle)
  (goto-char (match-beginning 0)))

(defun session-run ()
  "The session."
  (setq eglot-sync-connect t eglot-autoshutdown nil)
  (find-file (expand-file-name "overlay/kustomization.yaml" (getenv "TREE")))
  (unless (derived-mode-p 'yaml-mode) (yaml-mode))
  (session-check (kls-tree-p buffer-file-name) "the tree is known for what it is")
  (apply #'eglot (eglot--guess-contact))
  (session-check (and (eglot-current-server) (eglot-managed-p)) "attach")
  (session-check (session-wait (lambda () (flymake-start) (string-match-p "did you mean web" (session-diagnostics)))) "diagnostics")
  (session-show (session-diagnostics))
  (session-place "wbe")
  (delete-char 3)
  (insert "web")
  (eglot--signal-textDocument/didChange)
  (session-check (session-wait (lambda () (flymake-start) (not (string-match-p "wbe" (session-diagnostics))))) "and it goes when the name is mended")
  (session-place "web")
  (let* ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (value (plist-get (plist-get hover :contents) :value)))
    (session-check (and value (string-match-p "NodePort" value)) "hover")
    (session-show (or value "")))
  (let* ((found (jsonrpc-request (eglot-current-server) :textDocument/definition (eglot--TextDocumentPositionParams)))
         (place (format "%S" found)))
    (session-check (string-match-p "base/service.yaml" place) "definition"))
  (kls-preview)
  (with-current-buffer "*kls preview*"
    (session-check (string-match-p "type: NodePort" (buffer-string)) "preview"))
  (session-place "resources")
  (set-buffer-modified-p nil))

(condition-case problem (session-run)
  (error (session-check nil (error-message-string problem))))
(when (eglot-current-server) (ignore-errors (eglot-shutdown (eglot-current-server))))
(kill-emacs (if session-failed 1 0))
;;; session.el ends here
